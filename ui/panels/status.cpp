#include <cmath>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

const char* shownName(SessionState::Mode mode) {
  return mode == SessionState::Mode::atEnd ? "at the end" : nameOf(mode);
}

/// A bell, with how many warnings and errors nobody has looked at; it leads to the log.
void drawBell(Context& context, float right) {
  const int unread = context.messages.unread();
  const float em = ImGui::GetFontSize(), r = std::round(em * 0.32F);
  const std::string text = unread > 0 ? std::to_string(unread) : "";
  const float width = 2 * r + 4 + ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SameLine(right - width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("bell", {width, em})) {
    context.frontTab = "Log";
    context.side = true;
  }
  context.driver.note("bell");
  hint(unread > 0 ? "Warnings and errors that were not read yet" : "No unread warnings or errors");
  const ImU32 colour = unread > 0 ? kWarning : kFaint;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = at.x + r, y = at.y + em * 0.45F;
  constexpr float kHalfTurn = 3.1415927F;
  list.PathArcTo({x, y}, r * 0.75F, kHalfTurn, 2 * kHalfTurn, 8);
  list.PathLineTo({x + r, y + r * 0.8F});
  list.PathLineTo({x - r, y + r * 0.8F});
  list.PathFillConvex(colour);
  list.AddCircleFilled({x, y + r * 1.1F}, r * 0.3F, colour, 6);
  list.AddText({at.x + 2 * r + 3, at.y}, colour, text.c_str());
}

}  // namespace

void drawStatus(Context& context, const Rect& place) {
  const Area area("status", place, 8, 2);
  const SessionState& state = context.state();
  size_t markers = 0, tracks = 0;
  if (context.shown.frame) {
    for (const CameraFrame& camera : context.shown.cameras) {
      markers += camera.measured.markers.size();
      tracks += camera.live.size();
    }
  }
  // Nobody looks again at what rates become once nothing moves any more.
  const std::string rates =
      context.player.playing()
          ? fmt::format("{}processing {:.0f}/s   display {:.0f}/s   ",
                        state.live ? fmt::format("camera {:.0f}/s   ", context.camera.perSecond())
                                   : std::string(),
                        context.processing.perSecond(), context.display.perSecond())
          : std::string();
  const std::string text = fmt::format(
      "{}   {} markers, {} tracks   {}{}{}", shownName(state.mode), markers, tracks, rates,
      state.counts.dropped > 0 ? fmt::format("{} dropped   ", state.counts.dropped) : "",
      context.task.device->info().name);
  ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  if (const std::string room = context.recordingState.room(); !room.empty()) {
    ImGui::SameLine(0, 20);
    ImGui::TextColored(
        ImGui::ColorConvertU32ToFloat4(context.recordingState.runsShort() ? kWarning : kRecord),
        "REC %s", room.c_str());
  }
  const char* help = "H: help";
  drawBell(context, place.width - ImGui::CalcTextSize(help).x - 22);
  ImGui::SameLine(place.width - ImGui::CalcTextSize(help).x - 10);
  ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
  ImGui::TextUnformatted(help);
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) perform(context, Action::help);
}

}  // namespace glint::ui
