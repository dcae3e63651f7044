#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

/// A bell, with how many warnings and errors nobody has looked at; it leads to the log.
void drawBell(int unread, Layout& layout, float right) {
  const float em = ImGui::GetFontSize(), r = std::round(em * 0.32F);
  const std::string count = unread > 0 ? std::to_string(unread) : "";
  const float width = 2 * r + 4 + ImGui::CalcTextSize(count.c_str()).x;
  ImGui::SameLine(right - width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (invisibleButton("bell", {width, em})) layout.showTab("Log");
  hint(unread > 0 ? "Unread warnings and errors" : "No unread warnings or errors");
  const ImU32 colour = unread > 0 ? kWarning : kFaint;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = at.x + r, y = at.y + em * 0.45F;
  constexpr float kHalfTurn = 3.1415927F;
  list.PathArcTo({x, y}, r * 0.75F, kHalfTurn, 2 * kHalfTurn, 8);
  list.PathLineTo({x + r, y + r * 0.8F});
  list.PathLineTo({x - r, y + r * 0.8F});
  list.PathFillConvex(colour);
  list.AddCircleFilled({x, y + r * 1.1F}, r * 0.3F, colour, 6);
  list.AddText({at.x + 2 * r + 3, at.y}, colour, count.c_str());
}

/// Nobody looks again at what rates become once nothing moves any more.
std::string ratesOf(const WindowModel& model) {
  if (!model.playing) return "";
  const Timings& timings = model.timings;
  const double now = monotonicSeconds();
  const std::string camera =
      model.state.live ? fmt::format("camera {:.0f}/s   ", timings.delivered.rate(now)) : "";
  return fmt::format("{}processing {:.0f}/s   display {:.0f}/s   ", camera,
                     timings.processed.rate(now), timings.drawn.rate(now));
}

}  // namespace

void drawStatus(const WindowModel& model, int unread, Layout& layout, const Actions& actions,
                const Rect& place) {
  const Area area("status", place, 8, 2);
  const SessionState& state = model.state;
  faint(fmt::format(
      "{}   {} markers, {} tracks   {}{}{}",
      state.mode == SessionState::Mode::atEnd ? "at the end"
      : model.looking()                       ? "looking back"
                                              : nameOf(state.mode),
      model.tracks.markers(), model.tracks.rows(), ratesOf(model),
      state.counts.dropped > 0 ? fmt::format("{} dropped   ", state.counts.dropped) : "",
      model.task.device->info().name));
  if (const std::string room = model.recording.room(); !room.empty()) {
    ImGui::SameLine(0, 20);
    text(model.recording.runsShort() ? kWarning : kRecord, "REC " + room);
  }
  const char* help = "H: help";
  drawBell(unread, layout, place.width - ImGui::CalcTextSize(help).x - 22);
  ImGui::SameLine(place.width - ImGui::CalcTextSize(help).x - 10);
  faint(help);
  if (ImGui::IsItemClicked()) actions.perform(Action::help);
}

}  // namespace glint::ui
