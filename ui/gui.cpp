#include "ui/gui.h"

#include <algorithm>

#include <imgui.h>

#include "app/base/log.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

bool countsWhereEmpty(Action action) {
  return action == Action::open || action == Action::help || action == Action::closeTop ||
         action == Action::quit || action == Action::larger || action == Action::smaller ||
         action == Action::usualSize;
}

/// Who clicks or zooms has begun, and needs the first hint no more.
void endHint(Context& context) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) || io.MouseWheel != 0) context.hintSeen = true;
}

void handleKeys(Context& context, const std::vector<Chord>& chords) {
  if (ImGui::GetIO().WantTextInput || context.exporting.open() || context.leaving.open()) return;
  for (const Chord& chord : chords) {
    const auto shortcut = shortcutOf(chord.name);
    if (!shortcut || (chord.repeated && !shortcut->repeats)) continue;
    context.hintSeen = true;
    if (!context.task.empty || countsWhereEmpty(shortcut->action))
      perform(context, shortcut->action);
  }
}

/// Which drags have come to their end: a state file shows what is in force between two moves, too.
void tellMouse(DriverState& driver) {
  static uint64_t releases = 0;
  static ImVec2 at;
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button) {
    if (!ImGui::IsMouseReleased(button)) continue;
    ++releases;
    at = ImGui::GetIO().MousePos;
  }
  driver.set("releases", releases);
  driver.set("released_x", static_cast<double>(at.x));
  driver.set("released_y", static_cast<double>(at.y));
}

void tellDriver(Context& context) {
  DriverState& driver = context.driver;
  if (!driver.on()) return;
  tellMouse(driver);
  const SessionState& state = context.state();
  driver.set("mode", nameOf(state.mode));
  driver.set("epoch", uint64_t{state.epoch});
  driver.set("speed", state.speed);
  driver.set("processed", state.counts.frames);
  driver.set("loops", state.loops);
  driver.set("in", state.in);
  if (state.out) driver.set("out", *state.out);
  driver.set("recording", context.player.recording());
  if (const auto* recording = context.recordingState.status()) {
    driver.set("recording_rows", recording->rows);
    driver.set("recording_bytes", recording->bytes);
    driver.set("recording_room", context.recordingState.room());
  }
  driver.set("empty", context.task.empty);
  driver.set("side", context.side);
  const RecentLog log = recentLog();
  driver.set("last_line", log.lines.empty() ? "" : log.lines.back());
  driver.set("hint", !context.hintSeen);
  driver.set("unsaved", context.draft.history().unsaved());
  std::vector<std::string> streams;
  for (const Player::Streaming& stream : context.player.streams()) streams.push_back(stream.target);
  driver.set("streams", streams);
  driver.set("unread", static_cast<uint64_t>(context.messages.unread()));
  driver.set("recording_name", context.player.recordingName());
  driver.set("help", context.help);
  driver.set("minimised", context.minimised);
  driver.set("letters", static_cast<double>(ImGui::GetFontSize()));
  driver.set("shows", std::string(kShowsNames[static_cast<size_t>(context.shows)]));
  driver.set("stale", context.shown.stale);
  driver.set("painting", context.painting.on());
  driver.set("messages", uint64_t{context.task.device->validationMessages()});
  driver.set("failure", state.failure);
  driver.set("applied", context.draft.applied());
  for (const SettingInfo& info : listSettings(state.settings)) driver.set(info.key, info.value);
  driver.set("sources", context.task.sources);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  driver.set("width", static_cast<uint64_t>(size.x));
  driver.set("height", static_cast<uint64_t>(size.y));
  driver.set("black", static_cast<double>(context.black));
  driver.set("white", static_cast<double>(context.white));
  driver.set("tracking", context.recorded.progress().has_value());
  driver.set("whole", context.shown.recorded);
  if (context.shown.frame) {
    driver.set("frame", context.shown.frame->index);
    size_t points = 0;
    for (const auto& [track, trail] : context.shown.trails.front()) points += trail.size();
    driver.set("trail_points", uint64_t{context.overlay.trails ? points : 0});
    driver.set("tracks", uint64_t{context.shown.cameras.front().live.size()});
    driver.set("markers", uint64_t{context.shown.cameras.front().measured.markers.size()});
  }
  if (context.lateness.count() > 0) {
    driver.set("pictures", uint64_t{context.lateness.count()});
    driver.set("late_median", context.lateness.median());
    driver.set("late_p99", context.lateness.p99());
  }
  if (!context.shown.expected.empty())
    driver.set("expected", uint64_t{context.shown.expected.front().size()});
  if (context.selected) driver.set("selected", context.selected->track);
  if (!context.views.empty()) {
    driver.set("zoom", context.views.front().zoom());
    driver.set("fitted", context.views.front().fitted());
  }
}

void drawEmptyWindow(Context& context) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Rect all{0, 0, size.x, size.y};
  drawWelcome(context, all);
  drawToasts(context, all);
}

void drawAll(Context& context, Scene& scene) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float row = ImGui::GetFrameHeight();
  const float top = row + 8, transport = row + ImGui::GetFontSize() * 4.2F + 14;
  const float status = ImGui::GetFontSize() + 6;
  const float middle = std::max(1.0F, size.y - top - transport - status);
  if (context.sideWidth == 0) context.sideWidth = ImGui::GetFontSize() * 31;
  const float most = std::max(0.0F, size.x - ImGui::GetFontSize() * 20);
  const float side = context.side ? std::min(context.sideWidth, most) : 0;
  const Rect views{0, top, size.x - side, middle};
  drawViews(context, views, scene);
  drawSelected(context, views, scene);
  if (side > 0) drawSide(context, {views.width, top, side, middle});
  drawTopBar(context, {0, 0, size.x, top});
  drawTransport(context, {0, top + middle, size.x, transport});
  drawStatus(context, {0, top + middle + transport, size.x, status});
  if (!context.copiesView) {  // which shall hold the image and what was found, no more
    drawFirstHint(context, views);
    drawToasts(context, views);
  }
  context.exporting.draw(context);
}

}  // namespace

void drawGui(Context& context, const std::vector<Chord>& chords, Scene& scene) {
  context.driver.begin();
  context.draft.follow(context.state().settings, context.state().epoch, ImGui::IsAnyItemActive());
  endHint(context);
  handleKeys(context, chords);
  chooseTracks(context);
  context.painting.follow(context);
  context.recordingState.follow(context.player);
  if (context.task.empty)
    drawEmptyWindow(context);
  else
    drawAll(context, scene);
  drawOpen(context);
  context.leaving.draw(context);
  drawHelp(context);
  tellDriver(context);
}

}  // namespace glint::ui
