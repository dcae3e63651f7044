#include "ui/gui.h"

#include <algorithm>
#include <utility>

#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"
#include "ui/panels/first_levels.h"
#include "ui/panels/pointed.h"

namespace glint::ui {
namespace {

constexpr size_t kMostWelcomed = 6;  // in the empty window

/// Also in the empty window, and behind the help and *Open*.
bool concernsTheWindow(Action action) {
  return action == Action::open || action == Action::help || action == Action::closeTop ||
         action == Action::quit || action == Action::larger || action == Action::smaller ||
         action == Action::usualSize;
}

}  // namespace

Gui::Gui(const WindowTask& wanted, std::shared_ptr<Messages> told, const Listeners& listeners,
         const std::optional<SettingsHistory>& history, const std::function<void()>& wake,
         const FileChooser::Recent& recent, CameraWatch& found)
    : task(wanted),
      messages(std::move(told)),
      player(task, messages, wake),
      draft(player, messages, wake,
            history.value_or(SettingsHistory(*player.state().settings, task.settingsFile))),
      tracks(task, listeners.trails, listeners.space, wake),
      editor(task, messages, wake),
      order(draft, editor),
      measuring(editor, tracks, *messages),
      recording(listeners.rows, task.outputs),
      timings{.arrivals = *listeners.latencies},
      presence(listeners.presence),
      presets(player, draft, *messages),
      proposing(task, player, draft, *messages, wake),
      ranging(task, player, draft, *messages, wake),
      lamps(task, player, wake),
      actions{.perform = [this](Action action) { perform(action); },
              .show = [this](DisplayPlane plane) { show(plane); },
              .showFilter = [this](const std::string& id) { showFilter(id); },
              .open = [this](std::vector<std::string> sources) { open(std::move(sources)); },
              .openCameras = [this](Opening opening) { open(std::move(opening)); },
              .propose = [this] { proposing.ask(looks.enlarged.value_or(0)); },
              .tryRange =
                  [this](const std::string& key) { ranging.ask(key, looks.enlarged.value_or(0)); }},
      masks(task, player, draft, *messages, layout, wake),
      calibrator(listeners.target, listeners.board, *messages, wake),
      trackMenu(editor, tracks, looks, measuring, *messages),
      measures(measuring, looks, *messages),
      bodies(*messages),
      reports(*messages, wake),
      saver(task, player, *messages, wake),
      exporting(task, player, editor, *messages, reports, wake),
      quitting(task, draft, masks, *messages),
      watch(found),
      cameras(actions, found, task.sources, task.empty, recent, wake),
      chooser(actions, recent, cameras, player.state().live) {
  looks.overlay.smoothLines = task.device->info().type != "cpu";
  if (task.empty) welcomeRecent = recent();
  if (welcomeRecent.size() > kMostWelcomed) welcomeRecent.resize(kMostWelcomed);
}

void Gui::askToQuit() {
  next.reset();
  quit = true;
}

void Gui::handleKeys(const std::vector<Chord>& chords) {
  // Who clicks or zooms has begun, and needs the first hint no more.
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) || io.MouseWheel != 0) layout.hintSeen = true;
  const bool listClosed = escapeClosesList();
  const bool dialog = io.WantTextInput || exporting.open() || proposing.open() || ranging.open() ||
                      quitting.open() ||
                      trackMenu.asksName() || measures.asks();
  for (const Chord& chord : chords) {
    const auto shortcut = shortcutOf(chord.name);
    if (!shortcut || (chord.repeated && !shortcut->repeats)) continue;
    if (dialog && shortcut->action != Action::quit) continue;
    const bool alone = task.empty || chooser.open || layout.help;
    if (alone && !concernsTheWindow(shortcut->action)) continue;
    if (listClosed && shortcut->action == Action::closeTop) continue;
    if (shortcut->action == Action::quit && !exporting.mayQuit()) continue;
    if (shortcut->action == Action::quit) proposing.close(), ranging.close();
    layout.hintSeen = true;
    perform(shortcut->action);
  }
}

/// Whether the device can track the whole recording beside playing it, so that the timeline is
/// filled from the beginning: not where that would make it late, or hold up what is written.
bool Gui::hasTime() const {
  constexpr double kShare = 0.25;  // of the time, for playing
  const SessionState& state = player.state();
  const bool plays = state.mode == SessionState::Mode::playing && player.speed() > 0;
  if (!plays || task.endsAlone || player.recording() || state.deviceTimes.empty()) return false;
  double device = 0;  // s a frame
  for (const PassTime& pass : state.deviceTimes) device += pass.microseconds * 1e-6;
  return device * player.rate() * player.speed() < kShare;
}

void Gui::drawAll(Scene& scene) {
  const WindowModel model{task,    player.state(), shown,     tracks,           recording,
                          timings, health,         *presence, editor, player.playing(), player.rate()};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float row = ImGui::GetFrameHeight(), em = ImGui::GetFontSize();
  const float top = row + wholePx(8), status = em + wholePx(6);
  const float band = std::round(std::clamp(layout.band * em, kLeastBand * em, size.y * 0.6F));
  const float transport = row + em * 1.4F + band + wholePx(14);
  const float room = std::max(1.0F, size.y - top - transport - status);
  const float below = curves.heightIn(room), middle = std::max(1.0F, room - below);
  if (layout.sideWidth == 0) layout.sideWidth = em * (model.cameras() > 1 ? 36.0F : 31.0F);
  const float most = std::max(0.0F, size.x - em * 20);
  const float side = layout.side ? std::min(layout.sideWidth, most) : 0;
  const Rect views{0, top, size.x - side, middle};
  fitFirstLevels(model, looks, *messages);
  const bool calibrates = layout.side && layout.tab == "Calibrate";
  drawViews(model, looks, {masks, measuring, calibrates ? &calibrator : nullptr}, views, scene);
  const Rect card = drawSelected(model, looks, views, scene);
  lookAgain(model, settings.told);
  if (!looks.leadTo.empty()) layout.showSetting(std::exchange(looks.leadTo, {}));
  if (side > 0)
    drawSide({model, looks, layout, draft, *messages, actions, masks, filtersOff, settings, presets,
              order, brightness, health, table, editor, measures, player, calibrator},
             {views.width, top, side, middle});
  drawTopBar(model, looks.plane, reports.possible(), record, player, actions, {0, 0, size.x, top});
  drawTime(model, {0, top + middle, size.x, below}, {0, top + room, size.x, transport}, band);
  drawStatus(model, settings.told, messages->unread(), layout, looks.displayed, zoomWords(looks),
             actions, {0, top + room + transport, size.x, status});
  if (!looks.copied) {
    // Messages stand in the same place, and are worth more.
    if (!layout.hintSeen && messages->toasts().empty()) drawFirstHint(views);
    const float banner = drawBanner(model, draft, lamps, actions, looks.displayed, views);
    drawToasts(*messages, {views.x, views.y + banner, views.width, views.height - banner}, card,
               top + room);
  }
  trackMenu.draw(views);
  measures.draw(views);
  bodies.draw(model, looks.space, actions, views);
  if (exporting.draw()) quit = true;
  if (!quit && !exporting.asksToLeave() && !quitting.open()) next.reset();  // the answer was no
  proposing.draw();
  ranging.draw();
}

/// Curves and timeline, of one part of the recording.
void Gui::drawTime(const WindowModel& model, const Rect& curvesPlace, const Rect& transport,
                   float band) {
  const uint64_t frame = player.frame();
  const auto last = player.lastFrame();
  if (last && frame != std::exchange(followed_, frame)) zoom.follow(frame, *last);
  curves.draw(model, looks, measuring, player, zoom, actions, curvesPlace);
  drawTransport(model, timeline, looks.enlarged, player, zoom, actions, layout, band,
                looks.displayed, transport);
}

void Gui::draw(const std::vector<Chord>& chords, Scene& scene) {
  namedPlaces().places.clear();
  namedPlaces().words.clear();
  looks.displayed = {};
  draft.follow(*player.state().settings, player.state().epoch, ImGui::IsAnyItemActive());
  const FilterUses& filters = draft.settings().filters;
  if (looks.plane == DisplayPlane::filter &&
      std::ranges::none_of(filters, [&](const auto& use) { return use.id == looks.filter; }))
    show(DisplayPlane::source);  // it is gone, or off
  handleKeys(chords);
  if (editor.edits() != TrackEdits() || (layout.side && layout.tab == "Tracks") || curves.on ||
      !looks.space.group.empty() || hasTime())
    tracks.want();
  editor.follow(tracks.history());
  tracks.update(shown, looks.overlay.trailSeconds, player.rate(), looks.selected,
                editor.applied());
  order.follow();
  measuring.follow();
  lamps.follow(shown, ImGui::IsAnyItemActive());
  masks.follow();
  if (player.state().live && layout.recentSeconds != remembered)
    player.post(command::Remember{remembered = layout.recentSeconds});
  saver.follow();
  calibrator.follow();
  recording.follow(player);
  if (task.empty) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const Rect room = drawWelcome(task.clip, task.scene, welcomeRecent, actions,
                                  chooser.open ? nullptr : &cameras, {0, 0, size.x, size.y});
    drawToasts(*messages, room);
  } else {
    drawAll(scene);
  }
  chooser.draw();
  watch.watch(cameras.endPicture());
  if (quitting.draw()) quit = true;
  drawHelp(layout);
}

}  // namespace glint::ui
