#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "app/capture/source_kinds.h"
#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"
#include "ui/recording_formats.h"

namespace glint::ui {
namespace {

std::string titleOf(const Context& context) {
  const auto& sources = context.task.sources;
  if (sources.empty()) return "";
  const std::string& first = sources.front();
  std::string name = isPathSource(first) ? std::filesystem::path(first).filename().string() : first;
  if (sources.size() > 1) name += fmt::format(" and {} more", sources.size() - 1);
  return name;
}

void chooseView(Context& context) {
  for (size_t i = 0; i < kShowsNames.size(); ++i) {
    const bool chosen = context.shows == static_cast<Shows>(i);
    if (i > 0) ImGui::SameLine(0, 1);
    if (chosen)
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const std::string name(kShowsNames[i]);
    if (ImGui::Button(name.c_str())) show(context, static_cast<Shows>(i));
    context.driver.note("view_" + name);
    if (chosen) ImGui::PopStyleColor();
  }
}

void drawRecord(Context& context, const Rect& place) {
  const RecordingMeter::Status* status = context.recordingState.status();
  const bool on = status != nullptr;
  const std::string text =
      on ? fmt::format("REC {}  {} rows", clockText(status->elapsed), status->rows) : "Record";
  const float dot = ImGui::GetFontSize() * 0.45F;
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad.x + 3 * dot + 6;
  const float arrow = ImGui::GetFrameHeight() + 2;
  const char* report = "Report";
  if (context.reporting.possible()) {
    const float wide = ImGui::CalcTextSize(report).x + 2 * pad.x;
    ImGui::SameLine(std::max(0.0F, place.width - width - arrow - wide - 14));
    if (ImGui::Button(report)) perform(context, Action::report);
    context.driver.note("report");
    hint("What was recorded or exported last, in the browser (Ctrl+R)");
  }
  ImGui::SameLine(std::max(0.0F, place.width - width - arrow - 8));
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, kRecord);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, IM_COL32(240, 96, 100, 255));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Button("##record", {width, 0})) perform(context, Action::record);
  context.driver.note("record");
  if (on) ImGui::PopStyleColor(2);
  hint(on ? ("Stop recording (R)\n" + context.recordingState.room()).c_str()
          : ("Record " + recordingFormats()[context.recordAs].name + " into a new file (R)")
                .c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = at.y + ImGui::GetFrameHeight() / 2;
  list.AddCircleFilled({at.x + pad.x + dot, middle}, dot, on ? IM_COL32_WHITE : kRecord);
  list.AddText({at.x + pad.x + 2 * dot + 6, at.y + pad.y}, on ? IM_COL32_WHITE : kText,
               text.c_str());
  ImGui::SameLine(0, 2);
  if (ImGui::ArrowButton("##options", ImGuiDir_Down)) ImGui::OpenPopup("record options");
  context.driver.note("record_options");
  hint("What is recorded, and streams");
  drawRecordOptions(context);
}

}  // namespace

void drawTopBar(Context& context, const Rect& place) {
  const Area area("top", place);
  if (ImGui::Button("Open")) perform(context, Action::open);
  context.driver.note("open_button");
  hint("Another recording (Ctrl+O); or drop files on the window");
  ImGui::SameLine(0, 12);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(titleOf(context).c_str());
  ImGui::SameLine(0, 24);
  chooseView(context);
  drawRecord(context, place);
}

}  // namespace glint::ui
