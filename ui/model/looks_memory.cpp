#include "ui/model/looks_memory.h"

#include <algorithm>
#include <type_traits>

#include "ui/model/trails.h"

namespace glint::ui {
namespace {

/// Visits each number with its name and its limits, and each switch with its name.
void visitLooks(auto& layout, auto& view, const auto& number, const auto& flag) {
  number("side_font_sizes", layout.sideWidth, 0, 60);
  number("trail_seconds", view.overlay.trailSeconds, 0.1, Trails::kMostSeconds);
  number("recent_seconds", layout.recentSeconds, 0, kMostRecentSeconds);
  number("timeline_band", layout.band, kLeastBand, kMostBand);
  number("scale", layout.scale, kLeastScale, kMostScale);
  number("curves_font_sizes", layout.curvesHeight, 0, 200);
  flag("curves", layout.curves);
  flag("side", layout.side);
  flag("hint_seen", layout.hintSeen);
  flag("ids", view.overlay.ids);
  flag("trails", view.overlay.trails);
  flag("masks", view.overlay.masks);
}

}  // namespace

void recallLooks(const shell::Remembered& looks, Layout& layout, ViewState& view) {
  visitLooks(
      layout, view,
      [&](const char* name, auto& value, double least, double most) {
        const auto it = looks.numbers.find(name);
        if (it == looks.numbers.end()) return;
        value = static_cast<std::remove_reference_t<decltype(value)>>(
            std::clamp(it->second, least, most));
      },
      [&](const char* name, bool& value) {
        if (const auto it = looks.switches.find(name); it != looks.switches.end())
          value = it->second;
      });
}

void rememberLooks(const Layout& layout, const ViewState& view, shell::Remembered& looks) {
  visitLooks(
      layout, view,
      [&](const char* name, auto value, double, double) {
        looks.numbers[name] = static_cast<double>(value);
      },
      [&](const char* name, bool value) { looks.switches[name] = value; });
  if (!layout.tab.empty()) looks.texts["tab"] = layout.tab;
}

}  // namespace glint::ui
