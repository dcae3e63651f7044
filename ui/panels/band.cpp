// The latest seconds of live cameras, and the place of the shown frame in them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/timeline.h"

namespace glint::ui {
namespace {

constexpr double kUsualRate = 30;  // sets/s, assumed until the rate is known

TimelineContent contentOf(const Presence::Stretch& stretch, const Scale& scale) {
  const shell::TimeAxis axis{scale.first, scale.last - scale.first + 1,
                             static_cast<size_t>(std::max(1.0F, scale.width))};
  TimelineContent content{.history = {}};
  // Fills the columns of sets that are older than the first known one with zeros, and leaves them
  // unknown.
  const uint64_t lacking = stretch.first.value() - scale.first;
  shell::TimeAxis known = axis;
  known.first = 0;
  std::vector<uint32_t> counts(lacking, 0);
  counts.insert(counts.end(), stretch.counts.begin(), stretch.counts.end());
  content.columns = shell::timelineColumns(known, counts);
  for (size_t i = 0; i < content.columns.size(); ++i)
    if (known.framesOf(i).second <= lacking) content.columns[i].known = false;
  content.bars = shell::timelineBars(axis, stretch.tracks);
  for (const uint32_t count : stretch.counts) content.most = std::max(content.most, count);
  for (const shell::TimelineBar& bar : content.bars)
    content.rows = std::max(content.rows, bar.row + 1);
  return content;
}

/// Returns a scale that ends with the newest set. While an earlier one is looked at, it ends with
/// the newest in memory.
Scale scaleOf(const WindowModel& model, const Presence::Stretch& stretch, SetIndex newest, float x,
              float width) {
  const double rate = stretch.rate > 0 ? stretch.rate : kUsualRate;
  const auto shown = static_cast<uint64_t>(std::lround(rate * Presence::kSeconds));
  const uint64_t last = newest.value();
  uint64_t first = last - std::min(last, std::max<uint64_t>(shown, 1));
  if (model.state().recent) first = std::min(first, model.state().recent->first.value());
  return {x, width, std::min(first, stretch.first.value()), std::max<uint64_t>(last, 1)};
}

}  // namespace

void drawBand(Context& context, TimelineContent& content, float width) {
  const WindowModel& model = context.model;
  Player& player = context.model.player;
  const float below = context.layout.places.band;
  const auto& recent = model.state().recent;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float em = ImGui::GetFontSize(), inset = timeInset();
  const float bar = std::round(em * 1.3F);
  ImGui::InvisibleButton("timeline", {width, bar + below});
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (!model.shown.frame) return;
  const SetIndex newest = model.showsRecent() ? recent->last : model.shown.frame->set;
  const Presence::Stretch stretch =
      model.listeners.presence->of(context.viewState.enlarged, newest);
  const Scale scale = scaleOf(model, stretch, newest, at.x + inset, width - 2 * inset);
  content = contentOf(stretch, scale);
  drawContent(content, scale, at.y + bar + 1, below - 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = std::round(at.y + bar / 2);
  list.AddRectFilled({scale.x, middle - 3 * unit()}, {scale.x + scale.width, middle + 3 * unit()},
                     IM_COL32(48, 53, 62, 255), 3);
  namePlace("band", {scale.x, at.y + bar, scale.width, below});
  if (recent) {
    const float from = scale.of(recent->first.value()), to = scale.of(recent->last.value());
    list.AddRectFilled({from, middle - 3 * unit()}, {to, middle + 3 * unit()},
                       IM_COL32(74, 84, 99, 255), 3);
    namePlace("timeline", {from, at.y, to - from, bar});
    if (held)
      player.scrub(std::clamp(scale.at(ImGui::GetIO().MousePos.x), recent->first.value(),
                              recent->last.value()));
    if (hovered && !held) ImGui::SetTooltip("Drag to look back. Capture and tracking continue.");
  }
  const float head = scale.of(player.playing() ? newest.value() : player.frame());
  list.AddCircleFilled({head, middle}, 6 * unit(),
                       player.isLookingBack() ? IM_COL32_WHITE : kRecord);
  list.AddLine({head, at.y + bar}, {head, at.y + bar + below}, IM_COL32(255, 255, 255, 160));
}

}  // namespace glint::ui
