#include "ui/context/actions.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/source/source.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/catalog/outputs.h"
#include "ui/context/context.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr double kScaleStep = 1.125;

/// Tries to open the sources. Returns why one of them cannot be opened; empty if all can. Leaves
/// out cameras, streams and pipes, which may serve only one reader, once.
std::string whatPreventsOpening(const std::vector<Address>& sources) {
  using Sort = capture::SourceKind::Sort;
  for (const Address& source : sources) {
    const Sort sort = capture::sourceKindOf(source.shown()).sort;
    if (sort == Sort::camera || sort == Sort::stream || base::isDevice(source.shown())) continue;
    try {
      capture::openSource(source);
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  return "";
}

void forViews(Context& c, const auto& change) {
  for (size_t i = 0; i < c.viewState.views.size(); ++i)
    if (!c.viewState.enlarged || *c.viewState.enlarged == i) change(c.viewState.views[i]);
}

void toggle(Context& c, bool& option, const char* name) {
  option = !option;
  c.messages.say(fmt::format("{} {}", name, option ? "on" : "off"));
}

void toggleRejected(Context& c) {
  toggle(c, c.viewState.overlay.rejected, "rejected candidates");
  c.model.player.post(session::command::Explain{c.viewState.overlay.rejected});
}

/// Returns the number of frames in a second, at least 1.
uint64_t second(const Context& c) {
  return static_cast<uint64_t>(std::max<int64_t>(1, std::llround(c.model.player.rate())));
}

void closeTop(Context& c, Panels& p) {
  if (p.chooser.open) {
    p.chooser.open = false;
  } else if (c.layout.help) {
    c.layout.help = false;
  } else if (c.viewState.pick != Pick::nothing) {
    c.viewState.pick = Pick::nothing;
  } else if (c.model.measuring.on()) {
    c.model.measuring.stop();
  } else if (const auto toasts = c.messages.toasts(); !toasts.empty()) {
    c.messages.dismiss(toasts.back().text);
  } else if (p.masks.on()) {
    p.masks.toggle();
  } else if (c.viewState.plane == DisplayPlane::filter) {
    c.actions.show(DisplayPlane::source);
  } else if (!c.viewState.space.group.empty()) {
    c.viewState.space.group.clear();
  } else if (c.viewState.selected) {
    c.viewState.selected.reset();
    c.viewState.more.clear();
    c.viewState.space.point.reset();
  } else if (c.viewState.space.point) {
    c.viewState.space.point.reset();
  } else if (c.viewState.space.place == SpacePlace::alone) {
    c.viewState.space.place = SpacePlace::beside;
  } else {
    c.viewState.enlarged.reset();
  }
}

void resizeLetters(Context& c, double scale) {
  c.layout.scale = std::clamp(scale, kLeastScale, kMostScale);
  c.messages.say(fmt::format("text size {:.0f} %", 100 * c.layout.scale));
}

/// Starts the search for the exposure, also if an earlier search has ended. Cameras that have an
/// exposure of their own take part.
void findExposure(Context& c) {
  if (!c.model.player.state().live) return c.messages.say("a recording has no exposure");
  if (!hasExposure(c.model.player.state()))
    return c.messages.say("no camera here has an exposure that can be set");
  const auto ask = [&](const char* exposure) {
    Settings& settings = c.model.draft.settings();
    settings.camera.exposure = exposure;
    for (auto& [number, camera] : settings.cameras)
      if (!camera.exposure.empty()) camera.exposure = exposure;
    c.model.draft.apply();
  };
  if (c.model.draft.settings().camera.exposure == capture::kFindExposure) ask("");
  ask(capture::kFindExposure);
  c.messages.say("searching for the exposure at which only markers are bright");
}

void toggleBookmark(Context& c) {
  if (c.model.state().live) return c.messages.say("only recordings have bookmarks");
  const uint64_t frame = c.model.player.frame();
  const bool set = c.viewState.bookmarks.insert(frame).second;
  if (!set) c.viewState.bookmarks.erase(frame);
  c.messages.say(fmt::format("bookmark at frame {} {}", frame, set ? "set" : "removed"));
}

/// Goes to the next bookmark, or to the previous one.
void goToBookmark(Context& c, bool forward) {
  const std::set<uint64_t>& all = c.viewState.bookmarks;
  const uint64_t frame = c.model.player.frame();
  if (all.empty())
    return c.messages.say(
        fmt::format("there are no bookmarks: {} sets one", keysOf(Action::bookmark)));
  const auto after = forward ? all.upper_bound(frame) : all.lower_bound(frame);
  if (forward ? after == all.end() : after == all.begin())
    return c.messages.say(forward ? "there is no later bookmark" : "there is no earlier bookmark");
  c.model.player.seek(forward ? *after : *std::prev(after));
}

void nextSpacePlace(Context& c) {
  if (!c.model.task.rig) return c.messages.say("points in space need a rig: --rig rig.toml");
  SpacePlace& place = c.viewState.space.place;
  place = place == SpacePlace::beside  ? SpacePlace::alone
          : place == SpacePlace::alone ? SpacePlace::hidden
                                       : SpacePlace::beside;
}

/// Returns true if a TOML file is a rig, which describes where cameras stand. Otherwise it holds
/// settings.
bool isRig(const std::string& file) {
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("[cam_")) return true;
  return false;
}

/// An action with the function that performs it.
struct Deed {
  Action action;
  void (*perform)(Context& c, Panels& p);
};

constexpr Deed kDeeds[] = {

    {Action::play, [](Context& c, Panels&) { c.model.player.togglePlay(); }},
    {Action::stepBack, [](Context& c, Panels&) { c.model.player.step(-1); }},
    {Action::stepOn, [](Context& c, Panels&) { c.model.player.step(1); }},
    {Action::secondBack,
     [](Context& c, Panels&) {
       c.model.player.seek(c.model.player.frame() - std::min(c.model.player.frame(), second(c)));
     }},
    {Action::secondOn,
     [](Context& c, Panels&) { c.model.player.seek(c.model.player.frame() + second(c)); }},
    {Action::tenthBack, [](Context& c, Panels&) { c.model.player.jumpBy(-0.1); }},
    {Action::tenthOn, [](Context& c, Panels&) { c.model.player.jumpBy(0.1); }},
    {Action::first, [](Context& c, Panels&) { c.model.player.seekFirst(); }},
    {Action::last, [](Context& c, Panels&) { c.model.player.seekEnd(); }},
    {Action::goToFrame, [](Context&, Panels& p) { p.goTo.ask(); }},
    {Action::bookmark, [](Context& c, Panels&) { toggleBookmark(c); }},
    {Action::nextBookmark, [](Context& c, Panels&) { goToBookmark(c, true); }},
    {Action::previousBookmark, [](Context& c, Panels&) { goToBookmark(c, false); }},
    {Action::slower, [](Context& c, Panels&) { c.model.player.changeSpeed(-1); }},
    {Action::faster, [](Context& c, Panels&) { c.model.player.changeSpeed(1); }},
    {Action::loop, [](Context& c, Panels&) { c.model.player.toggleLoop(); }},
    {Action::setIn, [](Context& c, Panels&) { c.model.player.setIn(c.model.player.frame()); }},
    {Action::setOut, [](Context& c, Panels&) { c.model.player.setOut(c.model.player.frame()); }},
    {Action::clearRange, [](Context& c, Panels&) { c.model.player.clearRange(); }},
    {Action::fit,
     [](Context& c, Panels&) {
       forViews(c, [](View& view) { view.fit(); });
       c.viewState.space.framed = c.viewState.space.moved = false;
     }},
    {Action::actualSize,
     [](Context& c, Panels&) { forViews(c, [](View& view) { view.actualSize(); }); }},
    {Action::record,
     [](Context& c, Panels& p) {
       const RecordOptions& record = p.topBar.record;
       c.model.player.toggleRecording(record.spec(), record.chosen().suffix);
     }},
    {Action::saveLatest, [](Context&, Panels& p) { p.saver.save(); }},
    {Action::exportRange, [](Context&, Panels& p) { p.exporting.ask(); }},
    {Action::report, [](Context&, Panels& p) { p.reports.show(); }},
    {Action::picture, [](Context& c, Panels&) { c.viewState.copied = true; }},
    {Action::mask, [](Context&, Panels& p) { p.masks.toggle(); }},
    {Action::renameTrack, [](Context&, Panels& p) { p.trackMenu.perform(Action::renameTrack); }},
    {Action::hideTrack, [](Context&, Panels& p) { p.trackMenu.perform(Action::hideTrack); }},
    {Action::deleteTrack, [](Context&, Panels& p) { p.trackMenu.perform(Action::deleteTrack); }},
    {Action::splitTrack, [](Context&, Panels& p) { p.trackMenu.perform(Action::splitTrack); }},
    {Action::joinTracks, [](Context&, Panels& p) { p.trackMenu.perform(Action::joinTracks); }},
    {Action::swapTracks, [](Context&, Panels& p) { p.trackMenu.perform(Action::swapTracks); }},
    {Action::measureDistance,
     [](Context&, Panels& p) { p.measures.perform(Action::measureDistance); }},
    {Action::measureAngle, [](Context&, Panels& p) { p.measures.perform(Action::measureAngle); }},
    {Action::setScale, [](Context&, Panels& p) { p.measures.perform(Action::setScale); }},
    {Action::curves, [](Context& c, Panels&) { c.layout.curves = !c.layout.curves; }},
    {Action::findExposure, [](Context& c, Panels&) { findExposure(c); }},
    {Action::rejected, [](Context& c, Panels&) { toggleRejected(c); }},
    {Action::trails, [](Context& c, Panels&) { toggle(c, c.viewState.overlay.trails, "trails"); }},
    {Action::gates, [](Context& c, Panels&) { toggle(c, c.viewState.overlay.gates, "gates"); }},
    {Action::uncertainty,
     [](Context& c, Panels&) { toggle(c, c.viewState.overlay.uncertainty, "uncertainty"); }},
    {Action::ids, [](Context& c, Panels&) { toggle(c, c.viewState.overlay.ids, "numbers"); }},
    {Action::space, [](Context& c, Panels&) { nextSpacePlace(c); }},
    {Action::nextView,
     [](Context& c, Panels&) {
       const size_t next = static_cast<size_t>(c.viewState.plane) + 1;
       c.actions.show(static_cast<DisplayPlane>(next < kUsualPlanes ? next : 0));
     }},
    {Action::side, [](Context& c, Panels&) { c.layout.side = !c.layout.side; }},
    {Action::open, [](Context&, Panels& p) { p.chooser.open = !p.chooser.open; }},
    {Action::close,
     [](Context& c, Panels&) {
       if (!c.model.task.empty) c.actions.open(shell::Opening{});
     }},
    {Action::undo, [](Context& c, Panels&) { c.model.order.undo(); }},
    {Action::redo, [](Context& c, Panels&) { c.model.order.redo(); }},
    {Action::save, [](Context& c, Panels&) { c.model.draft.save(); }},
    {Action::saveProject, [](Context&, Panels& p) { p.projects.save(); }},
    {Action::larger, [](Context& c, Panels&) { resizeLetters(c, c.layout.scale * kScaleStep); }},
    {Action::smaller, [](Context& c, Panels&) { resizeLetters(c, c.layout.scale / kScaleStep); }},
    {Action::usualSize, [](Context& c, Panels&) { resizeLetters(c, 1); }},
    {Action::closeTop, [](Context& c, Panels& p) { closeTop(c, p); }},
    {Action::help, [](Context& c, Panels&) { c.layout.help = !c.layout.help; }},
    {Action::palette, [](Context&, Panels& p) { p.palette.ask(); }},
    {Action::quit, [](Context& c, Panels&) { c.actions.quit(); }},
};

constexpr bool hasEveryAction() {
  for (size_t i = 0; i < std::size(kDeeds); ++i)
    if (kDeeds[i].action != static_cast<Action>(i)) return false;
  return std::size(kDeeds) == static_cast<size_t>(Action::quit) + 1;
}
static_assert(hasEveryAction());

}  // namespace

void Actions::perform(Action action) {
  kDeeds[static_cast<size_t>(action)].perform(context_, panels_);
}

void Actions::show(DisplayPlane plane) {
  ViewState& viewState = context_.viewState;
  if (viewState.plane == plane) return;
  viewState.plane = plane;
  context_.model.player.post(session::command::Watch{planesFor(plane)});
  context_.messages.say(std::string(kPlaneNames[static_cast<size_t>(plane)]));
}

void Actions::showFilter(const std::string& id) {
  ViewState& viewState = context_.viewState;
  if (viewState.plane == DisplayPlane::filter && viewState.filter == id)
    return show(DisplayPlane::source);
  viewState.plane = DisplayPlane::filter;
  viewState.filter = id;
  context_.model.player.post(session::command::Watch{planesFor(viewState.plane, id)});
}

void Actions::propose() {
  panels_.proposing.ask(context_.viewState.enlarged.value_or(0));
}

void Actions::tryRange(const std::string& key) {
  panels_.ranging.ask(key, context_.viewState.enlarged.value_or(0));
}

void Actions::open(std::vector<Address> sources) {
  const shell::WindowTask& task = context_.model.task;
  Messages& messages = context_.messages;
  FileChooser& chooser = panels_.chooser;
  const auto isSettings = [](const Address& file) {
    return file.shown().ends_with(".toml") || file.shown().ends_with(".TOML");
  };
  // Opens the rig with the recordings beside it, or with the cameras that are open.
  const auto rig = std::ranges::find_if(
      sources, [&](const Address& file) { return isSettings(file) && isRig(file.shown()); });
  std::vector<Address> recordings = sources;
  std::erase_if(recordings, [&](const Address& file) {
    return isSettings(file) || shell::isProject(file.shown());
  });
  // A source that cannot be opened must not end the session, and with it its recording.
  if (!task.empty) {
    const std::string problem = whatPreventsOpening(recordings);
    if (!problem.empty()) {
      messages.fail(problem);
      return chooser.showProblem(problem);
    }
  }
  const auto project = std::ranges::find_if(
      sources, [](const Address& file) { return shell::isProject(file.shown()); });
  if (project != sources.end()) {
    if (sources.size() > 1) return messages.fail("open a project without other files");
    try {
      shell::readProject(project->shown());
    } catch (const Error& error) {
      messages.fail(error.what());
      return chooser.showProblem(error.what());
    }
    return open(shell::Opening{.sources = {}, .project = project->shown()});
  }
  if (rig != sources.end()) {
    shell::Opening opening{.sources = {}, .cameras = {}, .rig = rig->shown()};
    sources.erase(rig);
    opening.sources = sources.empty() && !task.empty ? task.sources : std::move(sources);
    if (opening.sources.empty())
      return messages.fail("open the cameras' recordings with their rig");
    return open(std::move(opening));
  }
  bool loaded = false;
  for (const Address& file : sources) {
    if (!isSettings(file)) continue;
    if (!context_.model.draft.load(file.shown()))
      return chooser.showProblem(messages.lastFailure());
    loaded = true;
  }
  if (loaded) chooser.open = false;
  if (loaded && recordings.empty()) return;
  open(shell::Opening{std::move(recordings)});
}

void Actions::open(shell::Opening opening) {
  next_ = std::move(opening);
  leaving_ = true;
}

void Actions::quit() {
  next_.reset();
  leaving_ = true;
}

void Actions::stay() {
  if (!leaving_) next_.reset();
}

}  // namespace glint::ui
