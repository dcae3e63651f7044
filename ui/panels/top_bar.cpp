#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/capture/source_kinds.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

std::string titleOf(const std::vector<std::string>& sources) {
  if (sources.empty()) return "";
  const std::string& first = sources.front();
  std::string name = isPathSource(first) ? std::filesystem::path(first).filename().string() : first;
  if (sources.size() > 1) name += fmt::format(" and {} more", sources.size() - 1);
  return name;
}

void choosePlane(DisplayPlane plane, const Actions& actions) {
  for (size_t i = 0; i < kPlaneNames.size(); ++i) {
    const bool chosen = plane == static_cast<DisplayPlane>(i);
    if (i > 0) ImGui::SameLine(0, 1);
    if (chosen)
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const std::string name(kPlaneNames[i]);
    if (button("view_" + name, name.c_str())) actions.show(static_cast<DisplayPlane>(i));
    if (chosen) ImGui::PopStyleColor();
  }
}

void drawRecord(const RecordingState& recording, bool report, RecordOptions& options,
                Player& player, const Actions& actions, const Rect& place) {
  const RecordingMeter::Status* status = recording.status();
  const bool on = status != nullptr;
  const std::string words =
      on ? fmt::format("REC {}  {} rows", clockText(status->elapsed), status->rows) : "Record";
  const float dot = ImGui::GetFontSize() * 0.45F;
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  const float width = ImGui::CalcTextSize(words.c_str()).x + 2 * pad.x + 3 * dot + 6;
  const float arrow = ImGui::GetFrameHeight() + 2;
  if (report) {
    const float wide = ImGui::CalcTextSize("Report").x + 2 * pad.x;
    ImGui::SameLine(std::max(0.0F, place.width - width - arrow - wide - 14));
    if (button("report", "Report", "Shows the last recording or export in the browser (Ctrl+R)"))
      actions.perform(Action::report);
  }
  ImGui::SameLine(std::max(0.0F, place.width - width - arrow - 8));
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, kRecord);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, IM_COL32(240, 96, 100, 255));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (named("record", ImGui::Button("##record", {width, 0}))) actions.perform(Action::record);
  if (on) ImGui::PopStyleColor(2);
  hint(on ? "Stop recording (R)\n" + recording.room()
          : "Record " + recordingChoices()[options.format].name + " into a new file (R)");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = at.y + ImGui::GetFrameHeight() / 2;
  list.AddCircleFilled({at.x + pad.x + dot, middle}, dot, on ? IM_COL32_WHITE : kRecord);
  list.AddText({at.x + pad.x + 2 * dot + 6, at.y + pad.y}, on ? IM_COL32_WHITE : kText,
               words.c_str());
  ImGui::SameLine(0, 2);
  if (named("record_options", ImGui::ArrowButton("##options", ImGuiDir_Down)))
    ImGui::OpenPopup("record options");
  hint("Format of the recording, and streams");
  drawRecordOptions(options, player);
}

}  // namespace

void drawTopBar(const WindowModel& model, DisplayPlane plane, bool report, RecordOptions& options,
                Player& player, const Actions& actions, const Rect& place) {
  const Area area("top", place);
  if (button("open_button", "Open", "Another recording (Ctrl+O); or drop files on the window"))
    actions.perform(Action::open);
  ImGui::SameLine(0, 12);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(titleOf(model.task.sources).c_str());
  ImGui::SameLine(0, 24);
  choosePlane(plane, actions);
  drawRecord(model.recording, report, options, player, actions, place);
}

}  // namespace glint::ui
