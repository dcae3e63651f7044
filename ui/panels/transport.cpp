#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/desk/timeline.h"
#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr float kLanes = 2.8F;  // height of the counts and tracks, in font sizes

enum class Sign { first, back, play, pause, on, last };

void drawTriangle(ImDrawList& list, ImVec2 middle, float size, float direction, ImU32 colour) {
  const float x = size * 0.8F * direction;
  list.AddTriangleFilled({middle.x - x * 0.6F, middle.y - size}, {middle.x + x, middle.y},
                         {middle.x - x * 0.6F, middle.y + size}, colour);
}

void drawBar(ImDrawList& list, float x, ImVec2 middle, float size, ImU32 colour) {
  list.AddRectFilled({x - 1, middle.y - size}, {x + 1.5F, middle.y + size}, colour);
}

void drawSign(ImDrawList& list, ImVec2 m, float size, Sign sign) {
  switch (sign) {
    case Sign::first:
      drawBar(list, m.x - size, m, size, kText);
      return drawTriangle(list, {m.x + 2, m.y}, size, -1, kText);
    case Sign::back:
      drawBar(list, m.x + size * 0.9F, m, size * 0.8F, kText);
      return drawTriangle(list, {m.x - 1, m.y}, size * 0.8F, -1, kText);
    case Sign::play:
      return drawTriangle(list, m, size * 1.15F, 1, kText);
    case Sign::pause:
      list.AddRectFilled({m.x - size * 0.8F, m.y - size}, {m.x - size * 0.2F, m.y + size}, kText);
      list.AddRectFilled({m.x + size * 0.2F, m.y - size}, {m.x + size * 0.8F, m.y + size}, kText);
      return;
    case Sign::on:
      drawBar(list, m.x - size * 0.9F, m, size * 0.8F, kText);
      return drawTriangle(list, {m.x + 1, m.y}, size * 0.8F, 1, kText);
    case Sign::last:
      drawBar(list, m.x + size, m, size, kText);
      return drawTriangle(list, {m.x - 2, m.y}, size, 1, kText);
  }
}

void button(Context& context, const char* name, Sign sign, Action action, const char* what) {
  const float side = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(name);
  if (ImGui::Button("##sign", {side * 1.3F, side})) perform(context, action);
  ImGui::PopID();
  context.driver.note(name);
  hint(fmt::format("{} ({})", what, keysOf(action)).c_str());
  drawSign(*ImGui::GetWindowDrawList(),
           {std::round(at.x + side * 0.65F), std::round(at.y + side / 2)}, side * 0.22F, sign);
  ImGui::SameLine(0, 3);
}

std::string clock(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return fmt::format("{}:{:06.3f}", whole / 60, seconds - static_cast<double>(whole / 60 * 60));
}

double timeOf(const Context& context) {
  if (!context.shown.frame) return 0;
  for (const CameraFrame& camera : context.shown.frame->cameras)
    if (camera.measured.stamp) return camera.measured.stamp->time;
  return 0;
}

void chooseSpeed(Context& context) {
  static constexpr std::array<std::pair<double, const char*>, 7> kChoices{
      {{0.1, "0.1x"}, {0.25, "0.25x"}, {0.5, "0.5x"}, {1, "1x"}, {2, "2x"}, {4, "4x"}, {0, "max"}}};
  const double now = context.player.speed();
  std::string shown = now == 0 ? "max" : fmt::format("{:g}x", now);
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 5);
  if (ImGui::BeginCombo("##speed", shown.c_str())) {
    for (const auto& [factor, name] : kChoices)
      if (ImGui::Selectable(name, factor == now)) context.player.setSpeed(factor);
    ImGui::EndCombo();
  }
  context.driver.note("speed");
  hint("How fast it plays ([ and ]); max: as fast as it can be tracked");
}

void drawNumbers(Context& context) {
  const auto last = context.player.lastFrame();
  const uint64_t frame = context.shown.frame ? context.shown.frame->index : 0;
  ImGui::AlignTextToFramePadding();
  if (last)
    ImGui::Text("frame %llu / %llu", static_cast<unsigned long long>(frame),
                static_cast<unsigned long long>(*last));
  else
    ImGui::Text("frame %llu", static_cast<unsigned long long>(frame));
  ImGui::SameLine(0, 16);
  ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
  ImGui::TextUnformatted(clock(timeOf(context)).c_str());
  ImGui::PopStyleColor();
}

/// Where frame `frame` lies in the timeline.
struct Scale {
  float x = 0, width = 1;
  uint64_t last = 1;
  float of(uint64_t frame) const {
    const auto whole = static_cast<double>(std::max<uint64_t>(1, last));
    return x + width * static_cast<float>(static_cast<double>(frame) / whole);
  }
  uint64_t at(float place) const {
    const double share = std::clamp((place - x) / width, 0.0F, 1.0F);
    return static_cast<uint64_t>(std::llround(share * static_cast<double>(last)));
  }
};

/// Looks at results that grow five times a second at the most.
const Lanes* lanesOf(Context& context, const Scale& scale) {
  const auto results = context.recorded.results();
  if (!results) return nullptr;
  Lanes& lanes = context.lanes;
  const TimeAxis axis{0, scale.last + 1, static_cast<size_t>(std::max(1.0F, scale.width))};
  const uint64_t measured = results->measured(), settled = results->settled();
  const auto now = Lanes::Clock::now();
  const size_t camera = context.enlarged.value_or(0);
  const bool same =
      lanes.results == results && lanes.camera == camera && lanes.columns.size() == axis.columns;
  const bool soon = !results->complete() && now - lanes.looked < std::chrono::milliseconds(200);
  if (same && (soon || (lanes.measured == measured && lanes.settled == settled))) return &lanes;
  const std::vector<uint32_t> counts = results->markerCounts(camera);
  const std::vector<TrackStretch> stretches = results->stretches(camera);
  lanes = {.results = results,
           .camera = camera,
           .measured = measured,
           .settled = settled,
           .looked = now,
           .columns = timelineColumns(axis, counts),
           .bars = timelineBars(axis, stretches)};
  for (const uint32_t count : counts) lanes.most = std::max(lanes.most, count);
  for (const TimelineBar& bar : lanes.bars) lanes.rows = std::max(lanes.rows, bar.row + 1);
  return &lanes;
}

/// How many markers each frame holds, and which tracks are there when.
void drawResults(Context& context, const Scale& scale, float top, float height) {
  const Lanes* lanes = lanesOf(context, scale);
  if (!lanes) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto& columns = lanes->columns;
  const float half = std::round(height * 0.45F);
  for (size_t i = 0, end = 0; i < columns.size(); i = end) {  // neighbours alike in one piece
    for (end = i + 1; end < columns.size() && columns[end] == columns[i]; ++end) {
    }
    if (!columns[i].known) continue;
    const float from = scale.x + static_cast<float>(i), to = scale.x + static_cast<float>(end);
    const float h = half * static_cast<float>(columns[i].most) / static_cast<float>(lanes->most);
    list.AddRectFilled({from, top + half - h}, {to, top + half}, IM_COL32(70, 84, 104, 255));
  }
  const float room = height - half - 2;
  const float pitch = std::min(3.0F, room / static_cast<float>(lanes->rows));
  for (const TimelineBar& bar : lanes->bars) {
    const float y = top + half + 2 + pitch * static_cast<float>(bar.row);
    list.AddRectFilled({scale.of(bar.stretch.first), y},
                       {std::max(scale.of(bar.stretch.last), scale.of(bar.stretch.first) + 1),
                        y + std::max(1.0F, pitch - 1)},
                       withAlpha(colourOfTrack(bar.stretch.track), 0.75F));
  }
}

/// From which frame to which it plays; a whole recording where no points are set.
struct Ends {
  uint64_t in = 0, out = 0;
};

/// One of them, at the upper edge of the bar, while the mouse may drag it: where it stands now.
/// Once it is let go elsewhere it is `put` there.
uint64_t dragEnd(Context& context, const char* name, const Scale& scale, const Rect& grip,
                 uint64_t frame, const Ends& limits, const auto& put) {
  ImGui::SetCursorScreenPos({grip.x, grip.y});
  ImGui::InvisibleButton(name, {grip.width, grip.height});
  context.driver.note(name);
  const bool held = ImGui::IsItemActive();
  if (!held && !ImGui::IsItemHovered() && !ImGui::IsItemDeactivated()) return frame;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  // From where it was taken hold of, not from the cursor: a click alone moves nothing.
  const float moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0).x;
  const uint64_t wanted = held || ImGui::IsItemDeactivated()
                              ? std::clamp(scale.at(scale.of(frame) + moved), limits.in, limits.out)
                              : frame;
  if (ImGui::IsItemDeactivated() && wanted != frame) put(wanted);
  ImGui::SetTooltip("%s at frame %llu%s", name, static_cast<unsigned long long>(wanted),
                    held ? "" : ": drag it");
  return wanted;
}

/// What is played, as it is set or being dragged. Before the timeline, so that the mouse finds it
/// on top.
Ends dragEnds(Context& context, const Scale& scale, float top, float height) {
  const SessionState& state = context.state();
  const Ends set{std::min(state.in, scale.last),
                 std::min(state.out.value_or(scale.last), scale.last)};
  if (!state.canSeek) return set;
  constexpr float kOut = 9, kIn = 1;  // px beside the place
  Player& player = context.player;
  const Rect before{scale.of(set.in) - kOut, top, kOut + kIn, height};
  const Rect after{scale.of(set.out) - kIn, top, kOut + kIn, height};
  return {.in = dragEnd(context, "in", scale, before, set.in, {0, set.out},
                        [&](uint64_t frame) { player.setIn(frame); }),
          .out = dragEnd(context, "out", scale, after, set.out, {set.in, scale.last},
                         [&](uint64_t frame) {
                           player.setOut(frame < scale.last ? std::optional(frame) : std::nullopt);
                         })};
}

void drawEnds(ImDrawList& list, const Scale& scale, const Ends& ends, float top, float height) {
  for (const auto& [frame, side] : {std::pair{ends.in, -1.0F}, std::pair{ends.out, 1.0F}}) {
    const float x = scale.of(frame);
    const bool set = side < 0 ? frame > 0 : frame < scale.last;
    const ImU32 colour = set ? kWarning : kFaint;
    if (set) list.AddRectFilled({x - 1, top + 1}, {x + 1, top + height - 1}, colour);
    list.AddTriangleFilled({x, top + 1}, {x + 7 * side, top + 1}, {x, top + 8}, colour);
  }
}

void drawBarOfTime(Context& context, const Scale& scale, const Ends& ends, float top,
                   float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = std::round(top + height / 2);
  const float in = scale.of(ends.in), out = scale.of(ends.out);
  const float head = scale.of(std::min(context.player.frame(), scale.last));
  list.AddRectFilled({scale.x, middle - 3}, {scale.x + scale.width, middle + 3},
                     IM_COL32(48, 53, 62, 255), 3);
  list.AddRectFilled({in, middle - 3}, {out, middle + 3}, IM_COL32(74, 84, 99, 255), 3);
  list.AddRectFilled({in, middle - 3}, {std::clamp(head, in, out), middle + 3}, kAccent, 3);
  if (const auto progress = context.recorded.progress())
    list.AddRectFilled({scale.x, middle + 5},
                       {scale.x + scale.width * static_cast<float>(*progress), middle + 7},
                       kWarning);
  if (context.state().canSeek) drawEnds(list, scale, ends, top, height);
  list.AddCircleFilled({head, middle}, 6, IM_COL32_WHITE);
}

void drawTimeline(Context& context, float width) {
  const auto last = context.player.lastFrame();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float em = ImGui::GetFontSize();
  const float bar = std::round(em * 1.3F), lanes = std::round(em * kLanes);
  const float inset = 8;
  const Scale scale{at.x + inset, width - 2 * inset, last.value_or(1)};
  const Ends ends = last ? dragEnds(context, scale, at.y, std::round(bar * 0.4F)) : Ends{};
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("timeline", {width, bar + lanes});
  context.driver.note("timeline", {at.x + inset, at.y, width - 2 * inset, bar});
  if (!last) return;
  if (ImGui::IsItemActive() && context.state().canSeek) {
    if (context.player.playing()) context.player.togglePlay();
    context.player.scrub(scale.at(ImGui::GetIO().MousePos.x));
  }
  drawBarOfTime(context, scale, ends, at.y, bar);
  drawResults(context, scale, at.y + bar + 1, lanes - 2);
  const float head = scale.of(std::min(context.player.frame(), scale.last));
  ImGui::GetWindowDrawList()->AddLine({head, at.y + bar}, {head, at.y + bar + lanes},
                                      IM_COL32(255, 255, 255, 160));
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) {
    const uint64_t frame = scale.at(ImGui::GetIO().MousePos.x);
    ImGui::SetTooltip("frame %llu", static_cast<unsigned long long>(frame));
  }
}

}  // namespace

void drawTransport(Context& context, const Rect& place) {
  const Area area("transport", place);
  const bool live = context.state().live;
  if (!live) drawTimeline(context, place.width - 16);
  if (!live) {
    button(context, "first", Sign::first, Action::first, "First frame");
    button(context, "step_back", Sign::back, Action::stepBack, "Step back");
  }
  button(context, "play", context.player.playing() ? Sign::pause : Sign::play, Action::play,
         context.player.playing() ? "Pause" : "Play");
  if (!live) {
    button(context, "step_on", Sign::on, Action::stepOn, "Step on");
    button(context, "last", Sign::last, Action::last, "Last frame");
    ImGui::SameLine(0, 12);
    chooseSpeed(context);
    ImGui::SameLine(0, 8);
    bool loops = context.player.loops();
    if (ImGui::Checkbox("Loop", &loops)) perform(context, Action::loop);
    context.driver.note("loop");
    hint("Play again at the end (L)");
    ImGui::SameLine(0, 8);
    if (ImGui::Button("Export")) perform(context, Action::exportRange);
    context.driver.note("export");
    hint("Writes the frames from in to out (Ctrl+E)");
    ImGui::SameLine(0, 20);
  }
  drawNumbers(context);
}

}  // namespace glint::ui
