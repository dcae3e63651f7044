#include "ui/window_memory.h"

#include <algorithm>
#include <type_traits>

namespace glint::ui {
namespace {

/// Visits each number with its name and its limits, and each switch with its name.
void visit(auto& gui, const auto& number, const auto& flag) {
  number("side_font_sizes", gui.layout.sideWidth, 0, 60);
  number("trail_seconds", gui.viewState.overlay.trailSeconds, 0.1, Trails::kMostSeconds);
  number("recent_seconds", gui.layout.recentSeconds, 0, kMostRecentSeconds);
  number("timeline_band", gui.layout.band, kLeastBand, kMostBand);
  number("scale", gui.layout.scale, kLeastScale, kMostScale);
  number("curves_font_sizes", gui.layout.curvesHeight, 0, 200);
  flag("curves", gui.layout.curves);
  flag("side", gui.layout.side);
  flag("hint_seen", gui.layout.hintSeen);
  flag("ids", gui.viewState.overlay.ids);
  flag("trails", gui.viewState.overlay.trails);
  flag("masks", gui.viewState.overlay.masks);
}

}  // namespace

void WindowMemory::recall(Gui& gui) const {
  visit(
      gui,
      [&](const char* name, auto& value, double least, double most) {
        const auto it = saved.numbers.find(name);
        if (it == saved.numbers.end()) return;
        value = static_cast<std::remove_reference_t<decltype(value)>>(
            std::clamp(it->second, least, most));
      },
      [&](const char* name, bool& value) {
        if (const auto it = saved.switches.find(name); it != saved.switches.end())
          value = it->second;
      });
  const auto text = [&](const char* name) {
    const auto it = saved.texts.find(name);
    return it == saved.texts.end() ? std::string() : it->second;
  };
  gui.panels.topBar.record.choose(text("record_as"));
  gui.layout.frontTab = text("tab");
  gui.panels.chooser.start = text("folder");
  gui.panels.cameras.recall(cameras);
  if (!sight) return;
  gui.viewState.space = sight->space;
  gui.viewState.views = sight->views;
  gui.viewState.zoom = sight->zoom;
  gui.viewState.enlarged = sight->enlarged;
}

void WindowMemory::remember(const Gui& gui) {
  history = gui.model.draft.history();
  cameras = gui.panels.cameras.asked();
  const auto& next = gui.actions.next();
  sight.reset();
  if (next && !next->bodies.empty())
    sight =
        Sight{gui.viewState.space, gui.viewState.views, gui.viewState.zoom, gui.viewState.enlarged};
  visit(
      gui,
      [&](const char* name, auto value, double, double) {
        saved.numbers[name] = static_cast<double>(value);
      },
      [&](const char* name, bool value) { saved.switches[name] = value; });
  saved.texts["record_as"] = gui.panels.topBar.record.chosen().name;
  if (!gui.layout.tab.empty()) saved.texts["tab"] = gui.layout.tab;
  if (!gui.panels.chooser.start.empty()) saved.texts["folder"] = gui.panels.chooser.start;
}

}  // namespace glint::ui
