#include "ui/model/window_model.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/describe.h"

namespace glint::ui {
namespace {

using nlohmann::json;

void describeSession(const WindowModel& model, json& to) {
  const session::SessionState& state = model.state();
  to["arrived"] = model.arrived();
  to["mode"] = session::nameOf(state.mode);
  to["epoch"] = state.epoch.value();
  to["speed"] = state.speed;
  to["processed"] = state.counts.frames;
  to["loops"] = state.loops;
  to["live"] = state.live;
  to["looking"] = model.player.isLookingBack() && state.recent->isShown;
  if (state.recent) {
    to["recent_first"] = state.recent->first.value();
    to["recent_last"] = state.recent->last.value();
    to["recent_seconds"] = state.recent->seconds;
  }
  to["dropped"] = state.counts.dropped;
  to["in"] = state.in.value();
  if (state.out) to["out"] = state.out->value();
  to["failure"] = state.failure;
  to["sources"] = shownOf(model.task.sources);
  to["empty"] = model.task.empty;
  to["messages"] = model.task.device->validationMessages();
  to["applied"] = model.draft.applied();
  to["unsaved"] = model.draft.history().unsaved();
  for (const SettingInfo& info : listSettings(*state.settings)) to[info.key] = info.value;
  to["health"] = json::array();
  to["health_words"] = json::array();
  to["health_marks"] = json::array();
  for (const Health& health : model.health.cameras()) {
    to["health"].push_back(nameOf(health.light));
    to["health_words"].push_back(health.words);
    to["health_marks"].push_back(health.mark);
  }
  if (const DisplayLatency& late = model.timings.display; late.count() > 0) {
    to["pictures"] = late.count();
    to["late_median"] = late.median();
    to["late_p99"] = late.p99();
  }
}

void describeRecording(const WindowModel& model, json& to) {
  to["recording"] = model.player.recording();
  to["recording_name"] = model.player.recordingName();
  if (const auto* recording = model.recording.status()) {
    to["recording_rows"] = recording->rows;
    to["recording_bytes"] = recording->bytes;
    to["recording_room"] = model.recording.room();
  }
  to["streams"] = json::array();
  for (const Player::Streaming& stream : model.player.streams())
    to["streams"].push_back(stream.target);
}

void describeEdits(const WindowModel& model, json& to) {
  const TrackEditor& editor = model.editor;
  to["edits"] = editor.edits().edits.size();
  to["unmatched"] = editor.applied() ? editor.applied()->unmatched().size() : 0;
  to["undo_track"] = editor.history().undoName();
  to["redo_track"] = editor.history().redoName();
  to["summaries"] = json::object();  // first, last, rows, gaps, name, hidden
  if (editor.known() && editor.known()->complete() && editor.isUpToDate())
    for (const shell::TrackSummary& one : editor.tracks())
      to["summaries"][fmt::to_string(one.track)] = {
          one.first.value(), one.last.value(), one.rows, one.gaps, one.name, one.hidden};
  const Measuring& measuring = model.measuring;
  to["measuring"] = measuring.on();
  to["measures"] = json::array();  // pairs: the measured places, and the words of the reading
  for (size_t i = 0; i < measuring.readings().size(); ++i)
    to["measures"].push_back(
        {measuring.between(measuring.measures()[i]), measuring.readings()[i].words});
  to["scales"] = json::object();
  for (const auto& [camera, mm] : editor.edits().mmPerPx) to["scales"][fmt::to_string(camera)] = mm;
}

void describeTracks(const WindowModel& model, const ViewState& viewState, json& to) {
  const TrackView& tracks = model.tracks;
  to["tracking"] = tracks.progress().has_value();
  to["whole"] = tracks.whole();
  to["provisional"] = tracks.provisional();
  to["stale"] = model.shown.stale;
  to["points"] = json::array();
  for (const motion::SpaceRow& row : tracks.points())
    to["points"].push_back({row.point, row.at.x(), row.at.y(), row.at.z(), row.cameras});
  size_t places = 0;
  for (const auto& [point, trail] : tracks.pointTrails()) places += trail.size();
  to["point_places"] = places;
  to["pointed_at"] = model.pointed.words;
  to["rows"] = json::array();
  if (!model.shown.frame || tracks.cameras().empty()) return;
  to["frame"] = model.shown.frame->set.value();
  to["pass"] = model.shown.frame->pass.value();
  to["numbers"] = json::array();  // the numbers that the cameras gave their frames
  to["trail_ends"] = json::array();
  for (size_t i = 0; i < tracks.cameras().size(); ++i) {
    const CameraTracks& camera = tracks.cameras()[i];
    const auto& stamp = camera.measured->stamp;
    to["numbers"].push_back(stamp ? json(stamp->sequence.value()) : json());
    for (const motion::TrackRow& row : camera.rows)
      to["rows"].push_back(
          {i, row.track.value(), row.x, row.y, row.state == motion::TrackState::measured});
    for (const auto& [track, trail] : camera.trails)
      if (!trail.empty())
        to["trail_ends"].push_back({i, track.value(), trail.back().x, trail.back().y});
  }
  const CameraTracks& first = tracks.cameras().front();
  size_t points = 0;
  for (const auto& [track, trail] : first.trails) points += trail.size();
  to["trail_points"] = viewState.overlay.trails ? points : 0;
  to["tracks"] = first.rows.size();
  to["markers"] = first.measured->markers.size();
  to["expected"] = first.gates.size();
  if (tracks.selected()) to["selected_path"] = tracks.path().size();
}

double thresholdOf(const WindowModel& model) {
  for (size_t i = 0; i < model.tracks.cameras().size(); ++i) {
    const gpu::LayerMeasurement& measured = *model.tracks.cameras()[i].measured;
    if (measured.stamp)
      return static_cast<double>(measured.threshold) / model.format(i).fullScale();
  }
  return 0;
}

}  // namespace

void FrameCounts::follow(const WindowModel& model) {
  constexpr double kHeld = 0.2;  // s
  const double now = monotonicSeconds();
  if (model.playing() && now - at < kHeld) return;
  *this = {model.tracks.markers(), model.tracks.rows(), thresholdOf(model), now};
}

WindowModel::WindowModel(const shell::WindowTask& wanted, const std::shared_ptr<Messages>& messages,
                         const Listeners& heard,
                         const std::optional<shell::SettingsHistory>& history,
                         const std::function<void()>& wake)
    : task(wanted),
      player(task, messages, wake),
      draft(player, messages, wake,
            history.value_or(shell::SettingsHistory(*player.state().settings, task.settingsFile))),
      tracks(task, heard.trails, heard.latest, heard.space, wake),
      editor(task, messages, wake),
      order(draft, editor),
      measuring(editor, tracks, *messages),
      recording(heard.rows, task.outputs),
      timings{.arrivals = *heard.latencies},
      listeners(heard),
      thresholds(task, player, wake) {}

double WindowModel::lateness() const {
  const bool paced = playing() && state().speed > 0 && !state().live &&
                     state().mode == session::SessionState::Mode::playing;
  if (!paced || !state().frame || state().frame->due <= 0) return 0;
  return std::max(0.0, state().frame->tracked - state().frame->due);
}

/// Returns true if the device has time to track the whole recording beside playing it, so that the
/// timeline is filled from the beginning. Returns false if that would make playback late, or hold
/// up what is being written.
bool WindowModel::hasTime() const {
  constexpr double kShare = 0.25;  // largest share of the time that playing may take
  const bool plays = state().mode == session::SessionState::Mode::playing && player.speed() > 0;
  if (!plays || task.endsAlone || player.recording() || state().deviceTimes.empty()) return false;
  double device = 0;  // s for each frame
  for (const gpu::PassTime& pass : state().deviceTimes) device += pass.microseconds * 1e-6;
  return device * player.rate() * player.speed() < kShare;
}

/// Tells the player the time of the last frame of the recording that is tracked.
void WindowModel::noteRate() {
  const auto history = tracks.history();
  if (!history || history->measured() < 2 || player.knownRate()) return;
  const SetIndex last(history->measured() - 1);
  if (const auto frame = history->frame(CameraIndex(0), last)) player.noteTime(last, frame->time);
}

void WindowModel::follow(const ViewState& viewState, bool wantsTracks, bool editing) {
  if (editor.edits() != output::TrackEdits() || wantsTracks || hasTime()) tracks.want();
  editor.follow(tracks.history());
  noteRate();
  tracks.update(shown,
                {.trailSeconds = viewState.overlay.trailSeconds,
                 .rate = player.rate(),
                 .fillsGaps = state().live || playing()},
                viewState.selected, editor.applied());
  order.follow();
  measuring.follow();
  thresholds.follow(shown, editing);
  recording.follow(player);
  counts.follow(*this);
}

bool WindowModel::arrived() const {
  const bool changes = playing() || state().mode == session::SessionState::Mode::failed;
  const bool onScreen = changes || shown.frame == state().frame;
  return player.arrived() && draft.applied() && onScreen;
}

void WindowModel::describe(const ViewState& viewState, json& to) const {
  describeSession(*this, to);
  describeRecording(*this, to);
  describeEdits(*this, to);
  describeTracks(*this, viewState, to);
}

}  // namespace glint::ui
