// What keys and buttons do.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/source.h"
#include "app/capture/source_kinds.h"
#include "app/sinks/outputs.h"
#include "ui/gui.h"

namespace glint::ui {
namespace {

constexpr double kScaleStep = 1.125;

/// Why one of them cannot be opened, found by opening it; empty: all can. Cameras, streams and
/// pipes, which may serve only once, are left out.
std::string whatPreventsOpening(const std::vector<std::string>& sources) {
  using Sort = SourceKind::Sort;
  for (const std::string& source : sources) {
    const Sort sort = sourceKindOf(source).sort;
    if (sort == Sort::camera || sort == Sort::stream || isDevice(source)) continue;
    try {
      openSource(source);
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  return "";
}

void forViews(Gui& g, const auto& change) {
  for (size_t i = 0; i < g.looks.views.size(); ++i)
    if (!g.looks.enlarged || *g.looks.enlarged == i) change(g.looks.views[i]);
}

void toggle(Gui& g, bool& option, const char* name) {
  option = !option;
  g.messages->say(fmt::format("{} {}", name, option ? "on" : "off"));
}

void toggleRejected(Gui& g) {
  toggle(g, g.looks.overlay.rejected, "rejected candidates");
  g.player.post(command::Explain{g.looks.overlay.rejected});
}

/// In frames.
uint64_t second(const Gui& g) {
  return static_cast<uint64_t>(std::max<int64_t>(1, std::llround(g.player.rate())));
}

void closeTop(Gui& g) {
  if (g.chooser.open) {
    g.chooser.open = false;
  } else if (g.layout.help) {
    g.layout.help = false;
  } else if (g.looks.pick != Pick::nothing) {
    g.looks.pick = Pick::nothing;
  } else if (g.measuring.on()) {
    g.measuring.stop();
  } else if (const auto toasts = g.messages->toasts(); !toasts.empty()) {
    g.messages->dismiss(toasts.back().text);
  } else if (g.masks.on()) {
    g.masks.toggle();
  } else if (g.looks.plane == DisplayPlane::filter) {
    g.show(DisplayPlane::source);
  } else if (!g.looks.space.group.empty()) {
    g.looks.space.group.clear();
  } else if (g.looks.selected) {
    g.looks.selected.reset();
    g.looks.more.clear();
    g.looks.space.point.reset();
  } else if (g.looks.space.point) {
    g.looks.space.point.reset();
  } else if (g.looks.space.place == SpacePlace::alone) {
    g.looks.space.place = SpacePlace::beside;
  } else {
    g.looks.enlarged.reset();
  }
}

void resizeLetters(Gui& g, double scale) {
  g.layout.scale = std::clamp(scale, kLeastScale, kMostScale);
  g.messages->say(fmt::format("text size {:.0f} %", 100 * g.layout.scale));
}

/// Anew, if it was sought before; single cameras that have an exposure of their own, too.
void findExposure(Gui& g) {
  if (!g.player.state().live) return g.messages->say("a recording has no exposure");
  if (!hasExposure(g.player.state()))
    return g.messages->say("no camera here has an exposure that can be set");
  const auto ask = [&](const char* exposure) {
    Settings& settings = g.draft.settings();
    settings.camera.exposure = exposure;
    for (auto& [number, camera] : settings.cameras)
      if (!camera.exposure.empty()) camera.exposure = exposure;
    g.draft.apply();
  };
  if (g.draft.settings().camera.exposure == kFindExposure) ask("");
  ask(kFindExposure);
  g.messages->say("lowering the exposure until only markers are left");
}

void nextSpacePlace(Gui& g) {
  if (!g.task.rig) return g.messages->say("points in space need a rig: --rig rig.toml");
  SpacePlace& place = g.looks.space.place;
  place = place == SpacePlace::beside ? SpacePlace::alone
          : place == SpacePlace::alone ? SpacePlace::hidden
                                       : SpacePlace::beside;
}

/// Whether a TOML file says how cameras stand, not what settings are.
bool isRig(const std::string& file) {
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("[cam_")) return true;
  return false;
}

struct Deed {
  Action action;
  void (*perform)(Gui& gui);
};

/// In the order of Action.
constexpr Deed kDeeds[] = {

    {Action::play, [](Gui& g) { g.player.togglePlay(); }},
    {Action::stepBack, [](Gui& g) { g.player.step(-1); }},
    {Action::stepOn, [](Gui& g) { g.player.step(1); }},
    {Action::secondBack,
     [](Gui& g) { g.player.seek(g.player.frame() - std::min(g.player.frame(), second(g))); }},
    {Action::secondOn, [](Gui& g) { g.player.seek(g.player.frame() + second(g)); }},
    {Action::tenthBack, [](Gui& g) { g.player.jumpBy(-0.1); }},
    {Action::tenthOn, [](Gui& g) { g.player.jumpBy(0.1); }},
    {Action::first, [](Gui& g) { g.player.seekFirst(); }},
    {Action::last, [](Gui& g) { g.player.seekEnd(); }},
    {Action::slower, [](Gui& g) { g.player.changeSpeed(-1); }},
    {Action::faster, [](Gui& g) { g.player.changeSpeed(1); }},
    {Action::loop, [](Gui& g) { g.player.toggleLoop(); }},
    {Action::setIn, [](Gui& g) { g.player.setIn(g.player.frame()); }},
    {Action::setOut, [](Gui& g) { g.player.setOut(g.player.frame()); }},
    {Action::clearRange, [](Gui& g) { g.player.clearRange(); }},
    {Action::fit,
     [](Gui& g) {
       forViews(g, [](View& view) { view.fit(); });
       g.looks.space.framed = g.looks.space.moved = false;
     }},
    {Action::actualSize, [](Gui& g) { forViews(g, [](View& view) { view.actualSize(); }); }},
    {Action::record,
     [](Gui& g) { g.player.toggleRecording(recordingChoices()[g.record.format].suffix); }},
    {Action::saveLatest, [](Gui& g) { g.saver.save(); }},
    {Action::exportRange, [](Gui& g) { g.exporting.ask(); }},
    {Action::report, [](Gui& g) { g.reports.show(); }},
    {Action::picture, [](Gui& g) { g.looks.copied = true; }},
    {Action::mask, [](Gui& g) { g.masks.toggle(); }},
    {Action::renameTrack, [](Gui& g) { g.trackMenu.perform(Action::renameTrack); }},
    {Action::hideTrack, [](Gui& g) { g.trackMenu.perform(Action::hideTrack); }},
    {Action::deleteTrack, [](Gui& g) { g.trackMenu.perform(Action::deleteTrack); }},
    {Action::splitTrack, [](Gui& g) { g.trackMenu.perform(Action::splitTrack); }},
    {Action::joinTracks, [](Gui& g) { g.trackMenu.perform(Action::joinTracks); }},
    {Action::swapTracks, [](Gui& g) { g.trackMenu.perform(Action::swapTracks); }},
    {Action::measureDistance, [](Gui& g) { g.measures.perform(Action::measureDistance); }},
    {Action::measureAngle, [](Gui& g) { g.measures.perform(Action::measureAngle); }},
    {Action::setScale, [](Gui& g) { g.measures.perform(Action::setScale); }},
    {Action::curves, [](Gui& g) { g.curves.on = !g.curves.on; }},
    {Action::findExposure, [](Gui& g) { findExposure(g); }},
    {Action::rejected, [](Gui& g) { toggleRejected(g); }},
    {Action::trails, [](Gui& g) { toggle(g, g.looks.overlay.trails, "trails"); }},
    {Action::gates, [](Gui& g) { toggle(g, g.looks.overlay.gates, "gates"); }},
    {Action::uncertainty, [](Gui& g) { toggle(g, g.looks.overlay.uncertainty, "uncertainty"); }},
    {Action::ids, [](Gui& g) { toggle(g, g.looks.overlay.ids, "numbers"); }},
    {Action::space, [](Gui& g) { nextSpacePlace(g); }},
    {Action::nextView,
     [](Gui& g) {
       const size_t next = static_cast<size_t>(g.looks.plane) + 1;
       g.show(static_cast<DisplayPlane>(next < kUsualPlanes ? next : 0));
     }},
    {Action::side, [](Gui& g) { g.layout.side = !g.layout.side; }},
    {Action::open, [](Gui& g) { g.chooser.open = !g.chooser.open; }},
    {Action::close,
     [](Gui& g) {
       if (!g.task.empty) g.open(Opening{});
     }},
    {Action::undo, [](Gui& g) { g.order.undo(); }},
    {Action::redo, [](Gui& g) { g.order.redo(); }},
    {Action::save, [](Gui& g) { g.draft.save(); }},
    {Action::larger, [](Gui& g) { resizeLetters(g, g.layout.scale * kScaleStep); }},
    {Action::smaller, [](Gui& g) { resizeLetters(g, g.layout.scale / kScaleStep); }},
    {Action::usualSize, [](Gui& g) { resizeLetters(g, 1); }},
    {Action::closeTop, [](Gui& g) { closeTop(g); }},
    {Action::help, [](Gui& g) { g.layout.help = !g.layout.help; }},
    {Action::quit, [](Gui& g) { g.askToQuit(); }},
};

constexpr bool hasEveryAction() {
  for (size_t i = 0; i < std::size(kDeeds); ++i)
    if (kDeeds[i].action != static_cast<Action>(i)) return false;
  return std::size(kDeeds) == static_cast<size_t>(Action::quit) + 1;
}
static_assert(hasEveryAction());

}  // namespace

void Gui::perform(Action action) {
  kDeeds[static_cast<size_t>(action)].perform(*this);
}

void Gui::show(DisplayPlane plane) {
  if (looks.plane == plane) return;
  looks.plane = plane;
  player.post(command::Watch{planesFor(plane)});
  messages->say(std::string(kPlaneNames[static_cast<size_t>(plane)]));
}

void Gui::showFilter(const std::string& id) {
  if (looks.plane == DisplayPlane::filter && looks.filter == id) return show(DisplayPlane::source);
  looks.plane = DisplayPlane::filter;
  looks.filter = id;
  player.post(command::Watch{planesFor(looks.plane, id)});
}

void Gui::open(std::vector<std::string> sources) {
  const auto isSettings = [](const std::string& file) {
    return file.ends_with(".toml") || file.ends_with(".TOML");
  };
  // The rig of the cameras that are open, or of those beside it.
  const auto rig = std::ranges::find_if(sources, [&](const std::string& file) {
    return isSettings(file) && isRig(file);
  });
  std::vector<std::string> recordings = sources;
  std::erase_if(recordings, isSettings);
  if (!task.empty) {  // else what is shown, and recorded, would end for nothing
    const std::string problem = whatPreventsOpening(recordings);
    if (!problem.empty()) {
      messages->fail(problem);
      return chooser.tell(problem);
    }
  }
  if (rig != sources.end()) {
    Opening opening{.sources = {}, .cameras = {}, .rig = *rig};
    sources.erase(rig);
    opening.sources = sources.empty() && !task.empty ? task.sources : std::move(sources);
    if (opening.sources.empty()) return messages->fail("open the cameras' recordings with their rig");
    return open(std::move(opening));
  }
  bool loaded = false;
  for (const std::string& file : sources) {
    if (!isSettings(file)) continue;
    if (!draft.load(file)) return chooser.tell(messages->lastFailure());
    loaded = true;
  }
  if (loaded) chooser.open = false;
  if (loaded && recordings.empty()) return;
  open(Opening{std::move(recordings)});
}

void Gui::open(Opening opening) {
  next = std::move(opening);
  quit = true;
}

}  // namespace glint::ui
