// What keys and buttons do.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/capture/source.h"
#include "ui/gui.h"

namespace glint::ui {
namespace {

constexpr double kScaleStep = 1.125;

}  // namespace

void Gui::show(DisplayPlane plane) {
  if (looks.plane == plane) return;
  looks.plane = plane;
  player.watch(planesFor(plane));
  messages->say(std::string(kPlaneNames[static_cast<size_t>(plane)]));
}

void Gui::open(std::vector<std::string> sources) {
  const auto isSettings = [](const std::string& file) {
    return file.ends_with(".toml") || file.ends_with(".TOML");
  };
  bool loaded = false;
  for (const std::string& file : sources) {
    if (!isSettings(file)) continue;
    if (!draft.load(file)) return;
    loaded = true;
  }
  std::erase_if(sources, isSettings);
  if (loaded) chooser.open = false;
  if (loaded && sources.empty()) return;
  next = std::move(sources);
  quit = true;
}

void Gui::closeTop() {
  if (chooser.open) {
    chooser.open = false;
  } else if (layout.help) {
    layout.help = false;
  } else if (const auto toasts = messages->toasts(); !toasts.empty()) {
    messages->dismiss(toasts.back().text);
  } else if (masks.on()) {
    masks.toggle();
  } else if (looks.selected) {
    looks.selected.reset();
  } else {
    looks.enlarged.reset();
  }
}

void Gui::resizeLetters(double scale) {
  layout.scale = std::clamp(scale, kLeastScale, kMostScale);
  messages->say(fmt::format("letters of {:.0f} %", 100 * layout.scale));
}

/// Anew, if it was sought before; single cameras that have an exposure of their own, too.
void Gui::findExposure() {
  if (!player.state().live) return messages->say("a recording has no exposure");
  const auto ask = [&](const char* exposure) {
    Settings& settings = draft.settings();
    settings.camera.exposure = exposure;
    for (auto& [number, camera] : settings.cameras)
      if (!camera.exposure.empty()) camera.exposure = exposure;
    draft.apply();
  };
  if (draft.settings().camera.exposure == kFindExposure) ask("");
  ask(kFindExposure);
  messages->say("exposure is brought down until only markers are left");
}

void Gui::perform(Action action) {
  const auto forViews = [&](const auto& change) {
    for (size_t i = 0; i < looks.views.size(); ++i)
      if (!looks.enlarged || *looks.enlarged == i) change(looks.views[i]);
  };
  const auto toggle = [&](bool& option, const char* name) {
    option = !option;
    messages->say(fmt::format("{} {}", name, option ? "on" : "off"));
  };
  const auto second = std::max<int64_t>(1, std::llround(player.rate()));
  switch (action) {
    case Action::play:
      return player.togglePlay();
    case Action::stepOn:
      return player.step(1);
    case Action::stepBack:
      return player.step(-1);
    case Action::secondOn:
      return player.seek(player.frame() + static_cast<uint64_t>(second));
    case Action::secondBack:
      return player.seek(player.frame() - std::min(player.frame(), static_cast<uint64_t>(second)));
    case Action::tenthOn:
      return player.jumpBy(0.1);
    case Action::tenthBack:
      return player.jumpBy(-0.1);
    case Action::first:
      return player.seek(0);
    case Action::last:
      return player.seekEnd();
    case Action::slower:
      return player.changeSpeed(-1);
    case Action::faster:
      return player.changeSpeed(1);
    case Action::loop:
      return player.toggleLoop();
    case Action::setIn:
      return player.setIn(player.frame());
    case Action::setOut:
      return player.setOut(player.frame());
    case Action::clearRange:
      player.setIn(std::nullopt);
      return player.setOut(std::nullopt);
    case Action::fit:
      return forViews([](View& view) { view.fit(); });
    case Action::actualSize:
      return forViews([](View& view) { view.actualSize(); });
    case Action::record:
      return player.toggleRecording(recordingFormats()[record.format].suffix);
    case Action::exportRange:
      return exporting.ask();
    case Action::report:
      return reports.show();
    case Action::picture:
      looks.copied = true;
      return;
    case Action::close:
      if (!task.empty) open({});
      return;
    case Action::mask:
      return masks.toggle();
    case Action::findExposure:
      return findExposure();
    case Action::rejected:
      toggle(looks.overlay.rejected, "rejected candidates");
      return player.explain(looks.overlay.rejected);
    case Action::gates:
      return toggle(looks.overlay.gates, "expected places");
    case Action::uncertainty:
      return toggle(looks.overlay.uncertainty, "uncertainties, 100 times as large,");
    case Action::trails:
      return toggle(looks.overlay.trails, "trails");
    case Action::ids:
      return toggle(looks.overlay.ids, "numbers");
    case Action::nextView:
      return show(
          static_cast<DisplayPlane>((static_cast<size_t>(looks.plane) + 1) % kPlaneNames.size()));
    case Action::side:
      layout.side = !layout.side;
      return;
    case Action::open:
      chooser.open = !chooser.open;
      return;
    case Action::undo:
      return draft.undo();
    case Action::redo:
      return draft.redo();
    case Action::save:
      draft.save();
      return;
    case Action::larger:
      return resizeLetters(layout.scale * kScaleStep);
    case Action::smaller:
      return resizeLetters(layout.scale / kScaleStep);
    case Action::usualSize:
      return resizeLetters(1);
    case Action::closeTop:
      return closeTop();
    case Action::help:
      layout.help = !layout.help;
      return;
    case Action::quit:
      quit = true;
      return;
  }
}

}  // namespace glint::ui
