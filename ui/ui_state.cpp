#include "ui/ui_state.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/log.h"
#include "ui/draw/widgets.h"
#include "ui/model/rejections.h"

namespace glint::ui {
namespace {

using nlohmann::json;

json toJson(const Rect& r) {
  json all = json::array();
  for (const float value : {r.x, r.y, r.width, r.height})
    all.push_back(std::round(10 * static_cast<double>(value)) / 10);
  return all;
}

void tellSession(const Gui& gui, json& to) {
  const SessionState& state = gui.player.state();
  to["mode"] = nameOf(state.mode);
  to["epoch"] = state.epoch.value();
  to["speed"] = state.speed;
  to["processed"] = state.counts.frames;
  to["loops"] = state.loops;
  to["live"] = state.live;
  to["looking"] = gui.player.looking() && state.recent->looking;
  if (state.recent) {
    to["recent_first"] = state.recent->first.value();
    to["recent_last"] = state.recent->last.value();
    to["recent_seconds"] = state.recent->seconds;
  }
  to["dropped"] = state.counts.dropped;
  to["health"] = json::array();
  to["health_words"] = json::array();
  to["health_marks"] = json::array();
  for (const Health& health : gui.health.cameras()) {
    to["health"].push_back(nameOf(health.light));
    to["health_words"].push_back(health.words);
    to["health_marks"].push_back(health.mark);
  }
  to["band_tracks"] = gui.timeline.bars.size();
  to["band_most"] = gui.timeline.most;
  to["saving"] = gui.saver.running();
  to["in"] = state.in.value();
  if (state.out) to["out"] = state.out->value();
  to["failure"] = state.failure;
  to["sources"] = gui.task.sources;
  to["empty"] = gui.task.empty;
  to["messages"] = gui.task.device->validationMessages();
  to["applied"] = gui.draft.applied();
  to["unsaved"] = gui.draft.history().unsaved();
  for (const SettingInfo& info : listSettings(*state.settings)) to[info.key] = info.value;
  to["recording"] = gui.player.recording();
  to["recording_name"] = gui.player.recordingName();
  to["record_as"] = recordingChoices()[gui.record.format].name;
  if (const auto* recording = gui.recording.status()) {
    to["recording_rows"] = recording->rows;
    to["recording_bytes"] = recording->bytes;
    to["recording_room"] = gui.recording.room();
  }
  to["streams"] = json::array();
  for (const Player::Streaming& stream : gui.player.streams())
    to["streams"].push_back(stream.target);
}

void tellWindow(const Gui& gui, json& to) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  to["width"] = static_cast<uint64_t>(size.x);
  to["height"] = static_cast<uint64_t>(size.y);
  to["letters"] = ImGui::GetFontSize();
  to["minimised"] = gui.minimised;
  to["side"] = gui.layout.side;
  to["help"] = gui.layout.help;
  to["hint"] = !gui.layout.hintSeen;
  to["export"] = gui.exporting.open();
  to["exporting"] = gui.exporting.running();
  to["export_asks"] = gui.exporting.asks();
  to["export_says"] = gui.exporting.said();
  to["proposing"] = gui.proposing.open();
  to["proposed"] = gui.proposing.said();
  to["ranging"] = gui.ranging.open();
  to["range_says"] = gui.ranging.said();
  if (const auto* outcome = gui.ranging.outcome()) {
    to["range_shown"] = gui.ranging.shown();
    to["range_best"] = outcome->best;
    to["range_values"] = json::array();
    for (const Combination& one : outcome->combinations) to["range_values"].push_back(one.values);
    to["range_found"] = outcome->markers[gui.ranging.shown()].size();
  }
  to["presets"] = gui.presets.names();
  to["leaving"] = gui.quitting.shown();
  to["calibrating"] = gui.calibrator.recording();
  to["calibrate_solving"] = gui.calibrator.solving();
  to["calibrate_shared"] = gui.calibrator.seen().shared;
  to["calibrate_problem"] = gui.calibrator.problem();
  if (const auto* found = gui.calibrator.result()) {
    to["calibrate_grade"] = found->grade.word;
    to["calibrate_error"] = found->heldOut.mean;
    to["calibrate_found"] = found->found;
  }
  to["cameras"] = gui.cameras.listed();
  to["ticked"] = gui.cameras.ticked();
  to["previewed"] = gui.cameras.previewed();
  to["choosing"] = gui.chooser.open;
  to["open_says"] = gui.chooser.problem();
  to["painting"] = gui.masks.on();
  to["mask_ignored"] = gui.masks.ignored();
  const RecentLog log = recentLog();
  to["last_line"] = log.lines.empty() ? "" : log.lines.back();
  to["unread"] = gui.messages->unread();
  to["said"] = gui.messages->said();
  std::string toasts;
  for (const Messages::Toast& toast : gui.messages->toasts()) toasts += toast.text + "\n";
  to["toasts"] = toasts;
  if (const DisplayLatency& late = gui.timings.display; late.count() > 0) {
    to["pictures"] = late.count();
    to["late_median"] = late.median();
    to["late_p99"] = late.p99();
  }
}

void tellLooks(const ViewState& looks, json& to) {
  to["shows"] = kPlaneNames[static_cast<size_t>(looks.plane)];
  if (looks.plane == DisplayPlane::filter) to["shows_filter"] = looks.filter;
  to["black"] = looks.black;
  to["white"] = looks.white;
  if (looks.selected) to["selected"] = looks.selected->track.value();
  if (!looks.views.empty()) {
    to["zoom"] = looks.views.front().zoom();
    to["fitted"] = looks.views.front().fitted();
  }
  const Displayed& displayed = looks.displayed;
  to["pixel_values"] = displayed.pixelValues;
  to["redrawn"] = displayed.redrawn;
  to["table"] = json::array();
  for (const TrackId track : displayed.table) to["table"].push_back(fmt::to_string(track));
  to["all_tracks"] = json::array();
  for (const TrackId track : displayed.all) to["all_tracks"].push_back(track.value());
  to["picking"] = looks.pick != Pick::nothing;
  to["banner"] = displayed.banner;
  to["status"] = displayed.status;
  to["pointed_at"] = displayed.pointed;
  to["legend"] = displayed.legend;
  to["space"] = displayed.space;
  to["space_turn"] = looks.space.orbit.turn();
  to["space_distance"] = looks.space.orbit.distance();
  to["space_rays"] = displayed.rays;
  to["space_lines"] = displayed.lines;
  if (looks.space.point) to["space_point"] = *looks.space.point;
  to["space_group"] = looks.space.group;
  to["enlarged"] = looks.overlay.enlarged;
  to["labels"] = json::array();
  for (const TrackId track : displayed.labels) to["labels"].push_back(track.value());
  if (!displayed.limit.empty()) to["limit_told"] = displayed.limit;
  if (!displayed.rejection.empty()) to["pointed"] = displayed.rejection;
  if (!displayed.rejectionWords.empty()) to["pointed_words"] = displayed.rejectionWords;
  if (!displayed.timeline.empty()) to["timeline_told"] = displayed.timeline;
  to["limit_counts"] = displayed.limitCounts;
  to["filter_numbers"] = displayed.filterNumbers;
  if (!displayed.pointedSetting.empty()) to["led_to"] = displayed.pointedSetting;
  if (displayed.setting.empty()) return;
  to["explained"] = displayed.setting;
  to["why_grey"] = displayed.whyUnused;
}

void tellTracks(const Gui& gui, json& to) {
  const TrackView& tracks = gui.tracks;
  to["tracking"] = tracks.progress().has_value();
  to["whole"] = tracks.whole();
  to["provisional"] = tracks.provisional();
  to["stale"] = gui.shown.stale;
  to["edits"] = gui.editor.edits().edits.size();
  to["unmatched"] = gui.editor.applied() ? gui.editor.applied()->unmatched().size() : 0;
  to["undo_track"] = gui.editor.history().undoName();
  to["redo_track"] = gui.editor.history().redoName();
  to["naming"] = gui.trackMenu.asksName();
  to["measuring"] = gui.measuring.on();
  to["curves"] = gui.curves.on;
  to["curves_told"] = gui.curves.told();
  to["curves_of"] = json::array();  // track, points
  for (const TrackSeries& series : gui.curves.series())
    to["curves_of"].push_back({series.track.value(), series.points.size()});
  to["curves_of_measures"] = gui.curves.measures();
  if (const auto last = gui.player.lastFrame()) {
    const TimeZoom::Range range = gui.zoom.range(*last);
    to["time_shown"] = {range.first, range.last};
  }
  to["asks_length"] = gui.measures.asks();
  to["measures"] = json::array();  // between, and what it reads
  for (size_t i = 0; i < gui.measuring.readings().size(); ++i)
    to["measures"].push_back(
        {gui.measuring.between(gui.measuring.measures()[i]), gui.measuring.readings()[i].words});
  to["scales"] = json::object();
  for (const auto& [camera, mm] : gui.editor.edits().mmPerPx)
    to["scales"][fmt::to_string(camera)] = mm;
  to["summaries"] = json::object();  // first, last, rows, gaps, name, hidden
  if (gui.editor.known() && gui.editor.known()->complete() && gui.editor.settled())
    for (const TrackSummary& one : gui.editor.tracks())
      to["summaries"][fmt::to_string(one.track)] = {
          one.first.value(), one.last.value(), one.rows, one.gaps, one.name, one.hidden};
  to["points"] = json::array();
  for (const SpaceRow& row : tracks.points())
    to["points"].push_back({row.point, row.at.x(), row.at.y(), row.at.z(), row.cameras});
  size_t places = 0;
  for (const auto& [point, trail] : tracks.pointTrails()) places += trail.size();
  to["point_places"] = places;
  to["rows"] = json::array();
  if (!gui.shown.frame || tracks.cameras().empty()) return;
  to["frame"] = gui.shown.frame->set.value();
  to["pass"] = gui.shown.frame->pass.value();
  to["numbers"] = json::array();  // of the cameras' own frames
  to["trail_ends"] = json::array();
  for (size_t i = 0; i < tracks.cameras().size(); ++i) {
    const CameraTracks& camera = tracks.cameras()[i];
    const auto& stamp = camera.measured->stamp;
    to["numbers"].push_back(stamp ? json(stamp->sequence.value()) : json());
    for (const TrackRow& row : camera.rows)
      to["rows"].push_back({i, row.track.value(), row.x, row.y, row.state == TrackState::measured});
    for (const auto& [track, trail] : camera.trails)
      if (!trail.empty())
        to["trail_ends"].push_back({i, track.value(), trail.back().x, trail.back().y});
  }
  const CameraTracks& first = tracks.cameras().front();
  size_t points = 0;
  for (const auto& [track, trail] : first.trails) points += trail.size();
  to["trail_points"] = gui.looks.overlay.trails ? points : 0;
  to["tracks"] = first.rows.size();
  to["markers"] = first.measured->markers.size();
  to["expected"] = first.gates.size();
  if (tracks.selected()) to["selected_path"] = tracks.path().size();
}

/// What of the first camera can be pointed at.
void tellPlaces(const Gui& gui, json& to) {
  for (const auto& [name, place] : namedPlaces().places) to[name] = toJson(place);
  const auto& cameras = gui.tracks.cameras();
  if (cameras.empty() || gui.looks.views.empty() || gui.looks.enlarged.value_or(0) != 0) return;
  const View& view = gui.looks.views.front();
  const auto tell = [&](const std::string& name, ImagePoint at) {
    const Point p = view.toScreen(at);
    to[name] = toJson({p.x - 1, p.y - 1, 2, 2});
  };
  for (const TrackRow& row : cameras.front().rows)
    tell(fmt::format("marker:{}", row.track), {row.x, row.y});
  if (!gui.looks.overlay.rejected) return;
  size_t number = 0;
  const LayerMeasurement& measured = *cameras.front().measured;
  for (const Rejected& rejected : measured.rejected) {
    const auto [x, y] = placeOf(rejected);
    if (isPartOfMarker(measured, rejected) || number == 20 ||
        !view.area().contains(view.toScreen({x, y})))
      continue;
    tell(fmt::format("rejected:{}", number++), {x, y});
  }
}

}  // namespace

UiState::UiState() {
  if (const char* file = std::getenv("GLINT_UI_STATE")) file_ = file;
  if (const char* seconds = std::getenv("GLINT_UI_STATE_EVERY"))
    every_ = std::chrono::duration<double>(std::atof(seconds));
}

void UiState::begin() {
  namedPlaces().wanted = !file_.empty() && Clock::now() - written_ >= every_;
}

void UiState::seeMouse() {
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button) {
    if (!ImGui::IsMouseReleased(button)) continue;
    ++releases_;
    released_ = ImGui::GetIO().MousePos;
  }
}

void UiState::write(const Gui& gui, bool inputShown) {
  ++drawn_;
  if (gui.looks.displayed.redrawn == 1) ++whole_;
  if (!namedPlaces().wanted) return;
  written_ = Clock::now();
  json all{{"drawn", drawn_},
           {"drawn_whole", whole_},
           {"releases", releases_},
           {"released_x", released_.x},
           {"released_y", released_.y},
           {"mouse_x", ImGui::GetIO().MousePos.x},
           {"mouse_y", ImGui::GetIO().MousePos.y},
           {"input_shown", inputShown},
           {"widgets", json::object()}};
  tellSession(gui, all);
  tellWindow(gui, all);
  tellLooks(gui.looks, all);
  tellTracks(gui, all);
  tellPlaces(gui, all["widgets"]);
  all["words"] = namedPlaces().words;
  const std::string draft = file_ + ".new";
  std::ofstream(draft, std::ios::binary)
      << all.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  std::rename(draft.c_str(), file_.c_str());
}

}  // namespace glint::ui
