#include "ui/context.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/capture/source.h"
#include "ui/recording_formats.h"

namespace glint::ui {

PlaneSet planesFor(Shows shows) {
  switch (shows) {
    case Shows::source:
      return {.source = true};
    case Shows::luminance:
      return {.luminance = true};
    case Shows::response:
    case Shows::intensity:
      return {.response = true};
    case Shows::candidates:
      return {.candidates = true};
  }
  return {};
}

void Context::open(std::vector<std::string> sources) {
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

bool Shown::see(const SessionState& state) {
  const bool drawable = std::any_of(state.planes.begin(), state.planes.end(),
                                    [](const auto& group) { return group != nullptr; });
  const bool fresh = state.frame && drawable && planes != state.planes;
  const bool before = stale;
  if (fresh) {
    frame = state.frame;
    set = state.set;
    planes = state.planes;
    expected = state.expected;
  }
  stale = frame && frame->epoch != state.epoch;
  return fresh || stale != before;
}

void chooseTracks(Context& context) {
  Shown& shown = context.shown;
  if (!shown.frame) return;
  const SessionFrame& frame = *shown.frame;
  shown.cameras = frame.cameras;
  shown.trails.assign(frame.cameras.size(), {});
  shown.recorded = false;
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const double seconds = context.overlay.trailSeconds;
    auto known = shown.stale
                     ? std::nullopt
                     : context.recorded.frame(i, frame.index, seconds, context.player.rate());
    if (known) {
      shown.recorded = true;
      shown.cameras[i].live = std::move(known->rows);
      shown.trails[i] = std::move(known->trails);
    } else {
      shown.trails[i] = context.trails.of(i, frame.pass, frame.index, seconds);
    }
  }
}

void show(Context& context, Shows shows) {
  if (context.shows == shows) return;
  context.shows = shows;
  context.player.watch(planesFor(shows));
  context.messages.say(std::string(kShowsNames[static_cast<size_t>(shows)]));
}

namespace {

constexpr double kScaleStep = 1.125;

void forViews(Context& context, const auto& action) {
  for (size_t i = 0; i < context.views.size(); ++i)
    if (!context.enlarged || *context.enlarged == i) action(context.views[i]);
}

void toggle(Context& context, bool& option, const char* name) {
  option = !option;
  context.messages.say(fmt::format("{} {}", name, option ? "on" : "off"));
}

void closeTop(Context& context) {
  if (context.chooser.open) {
    context.chooser.open = false;
  } else if (context.help) {
    context.help = false;
  } else if (const auto toasts = context.messages.toasts(); !toasts.empty()) {
    context.messages.dismiss(toasts.back().text);
  } else if (context.painting.on()) {
    context.painting.toggle(context);
  } else if (context.selected) {
    context.selected.reset();
  } else {
    context.enlarged.reset();
  }
}

void resizeLetters(Context& context, double scale) {
  context.scale = std::clamp(scale, kLeastScale, kMostScale);
  context.messages.say(fmt::format("letters of {:.0f} %", 100 * context.scale));
}

/// Anew, if it was sought before; single cameras that have an exposure of their own, too.
void findExposure(Context& context) {
  if (!context.state().live) return context.messages.say("a recording has no exposure");
  const auto ask = [&](const char* exposure) {
    Settings& settings = context.draft.settings();
    settings.camera.exposure = exposure;
    for (auto& [number, camera] : settings.cameras)
      if (!camera.exposure.empty()) camera.exposure = exposure;
    context.draft.apply();
  };
  if (context.draft.settings().camera.exposure == kFindExposure) ask("");
  ask(kFindExposure);
  context.messages.say("exposure is brought down until only markers are left");
}

}  // namespace

void perform(Context& context, Action action) {
  Player& player = context.player;
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
      return forViews(context, [](View& view) { view.fit(); });
    case Action::actualSize:
      return forViews(context, [](View& view) { view.actualSize(); });
    case Action::record:
      return player.toggleRecording(recordingFormats()[context.recordAs].suffix);
    case Action::exportRange:
      return context.exporting.ask(context);
    case Action::report:
      return context.reporting.show(context);
    case Action::picture:
      context.copiesView = true;
      return;
    case Action::close:
      if (!context.task.empty) context.open({});
      return;
    case Action::mask:
      return context.painting.toggle(context);
    case Action::findExposure:
      return findExposure(context);
    case Action::rejected:
      toggle(context, context.overlay.rejected, "rejected candidates");
      return player.explain(context.overlay.rejected);
    case Action::expected:
      return toggle(context, context.overlay.expected, "expected places");
    case Action::uncertainty:
      return toggle(context, context.overlay.uncertainty, "uncertainties, 100 times as large,");
    case Action::trails:
      return toggle(context, context.overlay.trails, "trails");
    case Action::ids:
      return toggle(context, context.overlay.ids, "numbers");
    case Action::nextView:
      return show(context, static_cast<Shows>((static_cast<size_t>(context.shows) + 1) %
                                              kShowsNames.size()));
    case Action::side:
      context.side = !context.side;
      return;
    case Action::open:
      context.chooser.open = !context.chooser.open;
      return;
    case Action::undo:
      return context.draft.undo();
    case Action::redo:
      return context.draft.redo();
    case Action::save:
      context.draft.save();
      return;
    case Action::larger:
      return resizeLetters(context, context.scale * kScaleStep);
    case Action::smaller:
      return resizeLetters(context, context.scale / kScaleStep);
    case Action::usualSize:
      return resizeLetters(context, 1);
    case Action::closeTop:
      return closeTop(context);
    case Action::help:
      context.help = !context.help;
      return;
    case Action::quit:
      context.quit = true;
      return;
  }
}

}  // namespace glint::ui
