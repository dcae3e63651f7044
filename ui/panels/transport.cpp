#include "ui/panels/transport.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"
#include "ui/model/frame_name.h"

namespace glint::ui {
namespace {

/// The sign on a button: a triangle, and a bar beside it. Places and sizes are shares of the
/// button's.
struct Sign {
  float bar, barSize;     ///< place and height of the bar; height 0: no bar
  float triangle, shift;  ///< size of the triangle, and px to the right
  float direction = 1;    ///< -1: to the left
};
constexpr Sign kFirst{-1, 1, 1, 2, -1}, kBack{0.9F, 0.8F, 0.8F, -1, -1}, kPlay{0, 0, 1.15F, 0},
    kOn{-0.9F, 0.8F, 0.8F, 1}, kLast{1, 1, 1, -2}, kPause{0, 0, 0, 0};

void drawSign(ImDrawList& list, ImVec2 m, float size, const Sign& sign) {
  if (sign.triangle == 0) {
    list.AddRectFilled({m.x - size * 0.8F, m.y - size}, {m.x - size * 0.2F, m.y + size}, kText);
    list.AddRectFilled({m.x + size * 0.2F, m.y - size}, {m.x + size * 0.8F, m.y + size}, kText);
    return;
  }
  const float bar = m.x + size * sign.bar, barSize = size * sign.barSize;
  if (barSize > 0) list.AddRectFilled({bar - 1, m.y - barSize}, {bar + 1.5F, m.y + barSize}, kText);
  const float x = m.x + sign.shift, y = size * sign.triangle, wide = y * 0.8F * sign.direction;
  list.AddTriangleFilled({x - wide * 0.6F, m.y - y}, {x + wide, m.y}, {x - wide * 0.6F, m.y + y},
                         kText);
}

void signButton(const char* name, const Sign& sign, Action action, const char* what,
                Actions& actions) {
  const float side = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(name);
  if (button(name, "##sign", fmt::format("{} ({})", what, keysOf(action)), {side * 1.3F, side}))
    actions.perform(action);
  ImGui::PopID();
  drawSign(*ImGui::GetWindowDrawList(),
           {std::round(at.x + side * 0.65F), std::round(at.y + side / 2)}, side * 0.22F, sign);
  beside(3);
}

std::string clock(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return fmt::format("{}:{:06.3f}", whole / 60, seconds - static_cast<double>(whole / 60 * 60));
}

void chooseSpeed(Player& player) {
  const auto nameOf = [](double factor) {
    return factor == 0 ? std::string("max") : fmt::format("{:g}x", factor);
  };
  std::vector<std::string> names;
  size_t chosen = kSpeeds.size();
  for (const double factor : kSpeeds) {
    if (factor == player.speed()) chosen = names.size();
    names.push_back(nameOf(factor));
  }
  // A speed that the command line has set.
  if (chosen == names.size()) names.push_back(nameOf(player.speed()));
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 5);
  const bool changed = named("speed", choose("##speed", names, chosen));
  if (changed && chosen < kSpeeds.size()) player.setSpeed(kSpeeds[chosen]);
  hint("Playback speed ([ and ]). max: as fast as tracking allows");
}

FrameName nameOfShown(const WindowModel& model) {
  return model.shown.frame ? frameNameOf(*model.shown.frame) : FrameName(SetIndex());
}

std::string numberHint(const FrameName& name, std::optional<uint64_t> last) {
  const std::string counts = last ? counted(*last + 1, "frame") + ", counted from 0"
                                  : "Counted from the start of the cameras";
  if (name.inTables().empty()) return counts + ", as in exported tables";
  return counts + ". Exported tables number the frames of each camera: " + name.inTables();
}

/// Draws the number and the time of the frame. Leaves out what has no room.
void drawNumbers(const WindowModel& model, std::optional<uint64_t> last) {
  const auto& shown = model.shown.frame;
  const auto stamp = shown ? stampOf(*shown) : std::nullopt;
  const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string time = clock(stamp ? stamp->time : 0);
  const FrameName name = nameOfShown(model);
  const std::string other =
      name.inTables().empty() ? "" : fmt::format(", {} in exported tables", name.inTables());
  const std::string ends = !last        ? ""
                           : *last == 0 ? ", the only one"
                                        : fmt::format(" (last {})", *last);
  const std::string whole = name.brief() + ends + other;
  std::string words = whole;
  for (const std::string& shorter : {name.brief() + other, name.brief()})
    if (wide(words) > room) words = shorter;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(words.c_str());
  namedWords("frame_number", words);
  if (last || !other.empty()) hint((words == whole ? "" : whole + "\n") + numberHint(name, last));
  if (wide(words) + wholePx(16) + wide(time) > room) return;
  beside(16);
  faint(time);
  named("frame_time");
}

/// Draws the button to return to the newest frame, and the one to save the frames in memory.
void drawLive(WindowModel& model, Actions& actions) {
  Player& player = model.player;
  if (player.isLookingBack()) {
    if (button("to_live", "Back to live", fmt::format("({})", keysOf(Action::play))))
      player.backToLive();
    beside(8);
  }
  if (const auto& recent = model.state().recent; recent && recent->seconds > 0) {
    if (button("save_latest",
               fmt::format("Save the last {:.1f} s###latest", recent->seconds).c_str(),
               fmt::format("The frames in memory, as a raw recording ({}); how many: tab Sources",
                           keysOf(Action::saveLatest))))
      actions.perform(Action::saveLatest);
    beside(20);
  }
}

/// Adds the times at which the tracks of a camera exist, after the edits.
void addStretches(const TrackEditor& editor, const session::TrackHistory& history,
                  CameraIndex camera, std::vector<session::TrackStretch>& stretches) {
  if (!editor.applied()) {
    const auto own = history.stretches(camera);
    stretches.insert(stretches.end(), own.begin(), own.end());
    return;
  }
  for (const shell::TrackSummary& track : editor.tracks())
    if (track.camera == camera && !track.hidden)
      for (const auto& [first, last] : track.stretches)
        stretches.push_back({track.track, first, last});
}

/// Adds the counts of another camera, for the sets that are known of both.
void addCounts(const std::vector<uint32_t>& own, std::vector<uint32_t>& counts) {
  counts.resize(std::min(counts.size(), own.size()));
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += own[i];
}

/// Returns the range of cameras that the timeline shows: the first, and one past the last.
std::pair<size_t, size_t> camerasOf(const WindowModel& model, std::optional<size_t> camera) {
  return camera ? std::pair(*camera, *camera + 1) : std::pair(size_t{0}, model.cameras());
}

/// The first and last frame that are played. Without in and out points, these are those of the
/// recording.
struct Ends {
  uint64_t in = 0, out = 0;
  /// True if the mouse points at one of them.
  bool pointed = false;
};

/// Lets the mouse drag the in or out point at the upper edge of the bar. Returns the frame at which
/// it is now. Calls `put` with that frame once it is released.
uint64_t dragEnd(const char* name, const Scale& scale, const Rect& grip, uint64_t frame,
                 const Ends& limits, bool& pointed, const auto& put) {
  ImGui::SetCursorScreenPos({grip.x, grip.y});
  invisibleButton(name, {grip.width, grip.height});
  const bool held = ImGui::IsItemActive();
  if (!held && !ImGui::IsItemHovered() && !ImGui::IsItemDeactivated()) return frame;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  // Adds the movement of the mouse to the point's own place, so that a click alone moves nothing.
  const float moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).x;
  const uint64_t wanted = held || ImGui::IsItemDeactivated()
                              ? std::clamp(scale.at(scale.of(frame) + moved), limits.in, limits.out)
                              : frame;
  if (ImGui::IsItemDeactivated() && wanted != frame) put(wanted);
  tip(fmt::format("{} at frame {}{}", name, wanted, held ? "" : ": drag it"));
  pointed = true;
  return wanted;
}

/// Returns the range that is played, as it is set or being dragged. Called before the timeline is
/// drawn, so that the mouse finds the handles on top.
Ends dragEnds(const session::SessionState& state, Player& player, const Scale& scale, uint64_t last,
              float top, float height) {
  const uint64_t out = state.out ? state.out->value() : last;
  const Ends set{std::min(state.in.value(), last), std::min(out, last)};
  if (!state.canSeek) return set;
  const float outer = 9 * unit(), inner = unit();  // px beside the point
  const Rect before{scale.of(set.in) - outer, top, outer + inner, height};
  const Rect after{scale.of(set.out) - inner, top, outer + inner, height};
  const auto within = [&](uint64_t frame) { return frame >= scale.first && frame <= scale.last; };
  Ends ends = set;
  if (within(set.in))
    ends.in = dragEnd("in", scale, before, set.in, {0, set.out}, ends.pointed,
                      [&](uint64_t frame) { player.setIn(frame); });
  if (within(set.out))
    ends.out = dragEnd(
        "out", scale, after, set.out, {set.in, last}, ends.pointed,
        [&](uint64_t frame) { player.setOut(frame < last ? std::optional(frame) : std::nullopt); });
  return ends;
}

void drawEnds(ImDrawList& list, const Scale& scale, const Ends& ends, uint64_t last, float top,
              float height) {
  for (const auto& [frame, side] : {std::pair{ends.in, -1.0F}, std::pair{ends.out, 1.0F}}) {
    const float x = scale.of(frame);
    if (frame < scale.first || frame > scale.last) continue;
    const bool set = side < 0 ? frame > 0 : frame < last;
    const ImU32 colour = set ? kWarning : kFaint;
    const float grip = 7 * unit();
    if (set) list.AddRectFilled({x - unit(), top + 1}, {x + unit(), top + height - 1}, colour);
    list.AddTriangleFilled({x, top + 1}, {x + grip * side, top + 1}, {x, top + 1 + grip}, colour);
  }
}

void drawBarOfTime(const WindowModel& model, const Scale& scale, const Ends& ends, uint64_t last,
                   std::optional<float> head, float top, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = std::round(top + height / 2);
  const float in = scale.of(ends.in), out = scale.of(ends.out), half = std::round(3 * unit());
  list.AddRectFilled({scale.x, middle - half}, {scale.x + scale.width, middle + half},
                     IM_COL32(48, 53, 62, 255), half);
  list.AddRectFilled({in, middle - half}, {out, middle + half}, IM_COL32(74, 84, 99, 255), half);
  if (head) {
    beginPart(list);
    list.AddRectFilled({in, middle - half}, {std::clamp(*head, in, out), middle + half}, kAccent,
                       half);
    beginPart(list);
  }
  if (const auto progress = model.tracks.progress()) {
    const double tracked = *progress * static_cast<double>(last);
    list.AddRectFilled({scale.x, middle + half + 2},
                       {scale.of(static_cast<uint64_t>(tracked)), middle + half + 2 + 2 * unit()},
                       kWarning);
  }
  if (model.state().canSeek) drawEnds(list, scale, ends, last, top, height);
  if (!head) return;
  beginPart(list);
  list.AddCircleFilled({*head, middle}, 6 * unit(), IM_COL32_WHITE);
  beginPart(list);
}

/// Returns the shortest round time, s, that is at least `least`: 1, 2 or 5 times a power of ten
/// below a second, and parts of a minute and of an hour above.
double roundTime(double least) {
  constexpr std::array kTimes{0.01, 0.02, 0.05, 0.1,   0.2,   0.5,   1.0,   2.0,    5.0,   10.0,
                              15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0};
  const auto found = std::ranges::lower_bound(kTimes, least);
  return found == kTimes.end() ? 3600 * std::ceil(least / 3600) : *found;
}

/// Returns a time on the ruler: "1:05", or "1:05.2" if `step` is less than a second.
std::string rulerWords(double seconds, double step) {
  const int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const double minutes = std::floor((seconds + 1e-6) / 60);
  const double rest = std::max(0.0, seconds - 60 * minutes);
  return fmt::format("{:.0f}:{:0{}.{}f}", minutes, rest, decimals > 0 ? 3 + decimals : 2, decimals);
}

/// Draws the bookmarks as small flags that stand on the bar of time.
void drawBookmarks(const std::set<uint64_t>& bookmarks, const Scale& scale, float top,
                   float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = std::round(top + height / 2), flag = std::round(4 * unit());
  for (auto it = bookmarks.lower_bound(scale.first); it != bookmarks.end() && *it <= scale.last;
       ++it) {
    const float x = std::round(scale.of(*it));
    list.AddLine({x, top + 1}, {x, middle}, kAccent, unit());
    list.AddTriangleFilled({x, top + 1}, {x + 2 * flag, top + 1 + flag}, {x, top + 1 + 2 * flag},
                           kAccent);
  }
}

/// Draws the part of the whole that a zoomed timeline shows, at its lower edge.
void drawPart(const Scale& scale, uint64_t last, float bottom) {
  const auto of = [&](uint64_t frame) {
    return scale.x + scale.width * static_cast<float>(frame) / static_cast<float>(last);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float high = std::round(2 * unit());
  list.AddRectFilled({scale.x, bottom - high}, {scale.x + scale.width, bottom},
                     IM_COL32(48, 53, 62, 255));
  list.AddRectFilled({of(scale.first), bottom - high}, {of(scale.last), bottom}, kFaint);
}

/// Lets the mouse drag the upper edge of the timeline, which makes it taller.
void dragEdge(Layout& layout, const Rect& place) {
  const float em = ImGui::GetFontSize();
  ImGui::SetCursorScreenPos({place.x, place.y});
  invisibleButton("timeline_edge", {place.width, 5 * unit()});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive())
    layout.band = std::clamp(layout.band - ImGui::GetIO().MouseDelta.y / em, kLeastBand, kMostBand);
  ImGui::SetCursorScreenPos({place.x + wholePx(8), place.y + wholePx(4)});
}

}  // namespace

/// Updates the contents from the history, at most five times a second while it grows.
void Transport::updateContent(const Context& context, const Scale& scale) {
  const WindowModel& model = context.model;
  const auto& camera = context.viewState.enlarged;
  const auto history = model.tracks.history();
  if (!history) return;
  const shell::TimeZoom::Range range{scale.first, scale.last};
  const shell::TimeAxis axis{range.first, range.last - range.first + 1,
                             static_cast<size_t>(std::max(1.0F, scale.width))};
  const uint64_t measured = history->measured(), finalised = history->finalised();
  const double now = monotonicSeconds();
  const bool same = content_.history == history && content_.camera == camera &&
                    content_.columns.size() == axis.columns && content_.range == range &&
                    content_.edits == model.editor.revision();
  const bool soon = !history->complete() && now - content_.readAt < 0.2;
  if (same && (soon || (content_.measured == measured && content_.finalised == finalised))) return;
  const auto [begin, end] = camerasOf(model, camera);
  std::vector<uint32_t> counts = history->markerCounts(CameraIndex(begin));
  std::vector<session::TrackStretch> stretches;
  for (size_t i = begin; i < end; ++i) {
    if (i > begin) addCounts(history->markerCounts(CameraIndex(i)), counts);
    addStretches(model.editor, *history, CameraIndex(i), stretches);
  }
  content_ = {.history = history,
              .camera = camera,
              .measured = measured,
              .finalised = finalised,
              .edits = model.editor.revision(),
              .range = range,
              .readAt = now,
              .columns = shell::timelineColumns(axis, counts),
              .bars = shell::timelineBars(axis, stretches)};
  for (const uint32_t count : counts) content_.most = std::max(content_.most, count);
  for (const shell::TimelineBar& bar : content_.bars)
    content_.rows = std::max(content_.rows, bar.row + 1);
}

/// Returns words about a frame, "frame 12 (165 in exported tables), 0:00.400", and what is known
/// about its contents.
std::string Transport::wordsAt(const WindowModel& model, uint64_t frame) const {
  const SetIndex set(frame);
  FrameName name(set);
  const auto history = model.tracks.history();
  size_t markers = 0, measured = 0;
  double time = 0;
  const auto [begin, end] = camerasOf(model, content_.camera);
  for (size_t i = begin; i < end && history; ++i) {
    const auto known = history->frame(CameraIndex(i), set);
    if (!known || !known->measured) continue;
    markers += known->markers;
    if (measured++ == 0) time = known->time;
    if (!known->rows.empty()) name.in(known->rows.front().frame);
  }
  if (measured == 0)
    return fmt::format("{}, about {}", name.words(),
                       clock(static_cast<double>(frame) / model.rate()));
  const auto tracks =
      std::count_if(content_.bars.begin(), content_.bars.end(), [&](const shell::TimelineBar& bar) {
        return bar.stretch.first <= set && set <= bar.stretch.last;
      });
  std::string where;
  if (content_.camera) where = fmt::format(" in camera {}", *content_.camera);
  if (!content_.camera && model.cameras() > 1)
    where =
        fmt::format(" in {}{}", measured < model.cameras() ? fmt::format("{} of ", measured) : "",
                    counted(model.cameras(), "camera"));
  return fmt::format("{}, {}\n{}{}, {}", name.words(), clock(time), counted(markers, "marker"),
                     where, counted(static_cast<size_t>(tracks), "track"));
}

/// Draws times below the bar of time, as many as have room beside each other.
void Transport::drawRuler(double rate, const Scale& scale, float top, float height) {
  if (height <= 0 || rate <= 0 || scale.last <= scale.first) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize() * 0.8F;
  const auto widthOf = [&](const std::string& words) {
    return ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0, words.c_str()).x;
  };
  const double seconds = static_cast<double>(scale.last - scale.first) / rate;
  const double last = static_cast<double>(scale.last) / rate;
  const double apart = double(widthOf("00:00.00") + wholePx(12));
  const double step = roundTime(seconds * apart / double(scale.width));
  const double first = std::ceil(static_cast<double>(scale.first) / rate / step - 1e-6);
  for (double n = first; n * step <= last + 1e-6; ++n) {
    const auto frame = static_cast<uint64_t>(std::llround(n * step * rate));
    const std::string words = rulerWords(n * step, step);
    const float x = std::round(scale.of(frame)), wide = widthOf(words);
    list.AddLine({x, top}, {x, top + wholePx(3)}, kFaint, unit());
    const float left = std::clamp(x - wide / 2, scale.x, scale.x + scale.width - wide);
    list.AddText(ImGui::GetFont(), size, {left, top + height - size}, kFaint, words.c_str());
    namePlace("ruler:" + words, {left, top, wide, height});
    ruler_.emplace_back(frame, words);
  }
}

void Transport::drawTimeline(Context& context, float width) {
  const WindowModel& model = context.model;
  Player& player = context.model.player;
  shell::TimeZoom& zoom = context.viewState.zoom;
  const float below = context.layout.places.band;
  const auto last = player.lastFrame();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float em = ImGui::GetFontSize();
  const float bar = std::round(em * 1.3F);
  const float inset = timeInset();
  const shell::TimeZoom::Range range = zoom.range(last.value_or(1));
  const Scale scale{at.x + inset, width - 2 * inset, range.first, range.last};
  const Ends ends =
      last ? dragEnds(model.state(), player, scale, *last, at.y, std::round(bar * 0.4F)) : Ends{};
  ImGui::SetCursorScreenPos(at);
  const float ruler = context.layout.places.ruler;
  ImGui::InvisibleButton("timeline", {width, bar + ruler + below});
  namePlace("timeline", {at.x + inset, at.y, width - 2 * inset, bar});
  if (!last) return;
  const bool hovered = ImGui::IsItemHovered();
  if (ImGui::IsItemActive() && model.state().canSeek) {
    if (player.playing()) player.togglePlay();
    player.scrub(scale.at(ImGui::GetIO().MousePos.x));
  }
  if (ImGui::IsItemHovered()) zoomByWheel(zoom, scale, *last);
  const uint64_t frame = std::min(player.frame(), *last);
  std::optional<float> head;
  if (frame >= scale.first && frame <= scale.last) head = scale.of(frame);
  drawBarOfTime(model, scale, ends, *last, head, at.y, bar);
  drawBookmarks(context.viewState.bookmarks, scale, at.y, bar);
  updateContent(context, scale);
  drawRuler(player.knownRate().value_or(0), scale, at.y + bar, ruler);
  const float content = at.y + bar + ruler;
  if (model.tracks.history()) drawContent(content_, scale, content + 1, below - 2);
  if (zoom.zoomed()) drawPart(scale, *last, content + below);
  if (head) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    beginPart(list);
    list.AddLine({*head, at.y + bar}, {*head, content + below}, IM_COL32(255, 255, 255, 160));
    beginPart(list);
  }
  if (!hovered || ends.pointed) return;  // the handles show words of their own
  tooltip_ = wordsAt(model, scale.at(ImGui::GetIO().MousePos.x));
  ImGui::SetTooltip("%s", tooltip_.c_str());
}

void Transport::draw(Context& context) {
  WindowModel& model = context.model;
  Player& player = model.player;
  Actions& actions = context.actions;
  Layout& layout = context.layout;
  const Rect& place = layout.places.transport;
  tooltip_.clear();
  ruler_.clear();
  const Area area("transport", place);
  const bool live = model.state().live;
  dragEdge(layout, place);
  if (live) {
    drawBand(context, content_, place.width - 2 * wholePx(8));
  } else {
    drawTimeline(context, place.width - 2 * wholePx(8));
  }
  const bool steps = !live || layout.recentSeconds > 0;
  if (steps) {
    signButton("first", kFirst, Action::first, "First frame", actions);
    signButton("step_back", kBack, Action::stepBack, "Previous frame", actions);
  }
  signButton("play", player.playing() ? kPause : kPlay, Action::play,
             player.playing() ? "Pause" : "Play", actions);
  if (steps) {
    signButton("step_on", kOn, Action::stepOn, "Next frame", actions);
    signButton("last", kLast, Action::last, "Last frame", actions);
  }
  beside(12);
  if (live) {
    drawLive(model, actions);
  } else {
    chooseSpeed(player);
    beside(8);
    bool loops = player.loops();
    if (checkbox("loop", "Loop", loops, "Repeat at the end (L)")) actions.perform(Action::loop);
    beside(8);
    // Buttons that have no room beside the frame's number are left out; they have keys.
    const float number = ImGui::CalcTextSize(nameOfShown(model).brief().c_str()).x + wholePx(20);
    const auto fits = [&](const char* label) {
      return ImGui::GetContentRegionAvail().x > buttonWidth(label) + number;
    };
    if (fits("Export")) {
      if (button("export", "Export",
                 "Exports the frames from the in point to the out point (Ctrl+E)"))
        actions.perform(Action::exportRange);
      beside(8);
    }
    if (fits("Curves")) {
      if (button("curves_button", "Curves",
                 "Curves of the selected tracks and of measures over the whole recording (Y)"))
        actions.perform(Action::curves);
      beside(20);
    }
  }
  beginPart(*ImGui::GetWindowDrawList());
  drawNumbers(model, live ? std::nullopt : player.lastFrame());
}

void Transport::describe(nlohmann::json& to) const {
  to["band_tracks"] = content_.bars.size();
  to["band_most"] = content_.most;
  to["ruler"] = ruler_;
  if (!tooltip_.empty()) to["timeline_told"] = tooltip_;
}

}  // namespace glint::ui
