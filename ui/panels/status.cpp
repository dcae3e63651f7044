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
  const std::string text = fmt::format(
      "{}   {} markers, {} tracks   {}processing {:.0f}/s   display {:.0f}/s   {}{}",
      shownName(state.mode), markers, tracks,
      state.live ? fmt::format("camera {:.0f}/s   ", context.camera.perSecond()) : "",
      context.player.playing() ? context.processing.perSecond() : 0.0, context.display.perSecond(),
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
  ImGui::SameLine(place.width - ImGui::CalcTextSize(help).x - 10);
  ImGui::PushStyleColor(ImGuiCol_Text, kFaint);
  ImGui::TextUnformatted(help);
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked()) perform(context, Action::help);
}

}  // namespace glint::ui
