#include "ui/window_memory.h"

#include <algorithm>
#include <type_traits>

namespace glint::ui {

void WindowMemory::recall(Gui& gui) const {
  const auto number = [&](const char* name, auto& value) {
    if (const auto it = looks.numbers.find(name); it != looks.numbers.end())
      value = static_cast<std::remove_reference_t<decltype(value)>>(it->second);
  };
  const auto flag = [&](const char* name, bool& value) {
    if (const auto it = looks.switches.find(name); it != looks.switches.end()) value = it->second;
  };
  number("side_width", gui.layout.sideWidth);
  number("trail_seconds", gui.looks.overlay.trailSeconds);
  number("scale", gui.layout.scale);
  flag("side", gui.layout.side);
  flag("hint_seen", gui.layout.hintSeen);
  flag("ids", gui.looks.overlay.ids);
  flag("trails", gui.looks.overlay.trails);
  flag("masks", gui.looks.overlay.masks);
  if (const auto format = looks.texts.find("record_as"); format != looks.texts.end()) {
    const auto& all = recordingFormats();
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].name == format->second) gui.record.format = i;
  }
  if (const auto tab = looks.texts.find("tab"); tab != looks.texts.end())
    gui.layout.frontTab = tab->second;
  gui.layout.sideWidth = std::clamp(gui.layout.sideWidth, 0.0F, 4000.0F);
  gui.looks.overlay.trailSeconds =
      std::clamp(gui.looks.overlay.trailSeconds, 0.1, Trails::kMostSeconds);
  gui.layout.scale = std::clamp(gui.layout.scale, kLeastScale, kMostScale);
  if (const auto folder = looks.texts.find("folder"); folder != looks.texts.end())
    gui.chooser.start = folder->second;
}

void WindowMemory::remember(const Gui& gui) {
  history = gui.draft.history();
  looks.numbers["side_width"] = static_cast<double>(gui.layout.sideWidth);
  looks.numbers["trail_seconds"] = gui.looks.overlay.trailSeconds;
  looks.numbers["scale"] = gui.layout.scale;
  looks.switches["side"] = gui.layout.side;
  looks.switches["hint_seen"] = gui.layout.hintSeen;
  looks.switches["ids"] = gui.looks.overlay.ids;
  looks.switches["trails"] = gui.looks.overlay.trails;
  looks.switches["masks"] = gui.looks.overlay.masks;
  looks.texts["record_as"] = recordingFormats()[gui.record.format].name;
  if (!gui.layout.tab.empty()) looks.texts["tab"] = gui.layout.tab;
  if (!gui.chooser.start.empty()) looks.texts["folder"] = gui.chooser.start;
}

}  // namespace glint::ui
