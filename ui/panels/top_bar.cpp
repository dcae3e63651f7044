#include "ui/panels/top_bar.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture/source/source_kinds.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

// Smallest widths in font sizes: of the title, of a name in it, and of the list of planes.
constexpr float kLeastTitle = 6, kLeastName = 4, kLeastPlane = 7;

/// Returns the last name of a path, such as "clip.mkv", also if the path ends in "/".
std::string nameOfPath(const std::string& path) {
  std::filesystem::path whole = std::filesystem::path(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string name = whole.filename().string();
  return name.empty() || name == "." || name == ".." ? path : name;
}

std::string nameOfSource(const std::string& source) {
  return printable(capture::isPathSource(source) ? nameOfPath(source) : source);
}

std::string titleOf(const std::vector<Address>& sources, const std::string& name) {
  return sources.size() > 1 ? fmt::format("{} and {} more", name, sources.size() - 1) : name;
}

/// Returns a title that fits into `room` px. With several sources, it has the first one's name, the
/// end of that name, or only their number.
std::string titleThatFits(const std::vector<Address>& sources, float room) {
  if (sources.empty()) return "";
  const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const std::string name = nameOfSource(sources.front().shown());
  const float left = room - wide(titleOf(sources, ""));
  const bool several = sources.size() > 1;
  if (!several || wide(name) <= left || left >= kLeastName * ImGui::GetFontSize())
    return titleOf(sources, endThatFits(name, left));
  const std::string number = counted(sources.size(), "source");
  return wide(number) <= room ? number : "";
}

float planesWidth() {
  float width = 0;
  for (size_t i = 0; i < kUsualPlanes; ++i)
    width += buttonWidth(std::string(kPlaneNames[i]).c_str()) + wholePx(1);
  return width;
}

/// Draws a list of planes where there is no room for buttons. The output of a filter is in the list
/// only while it is shown; it is chosen in the list of filters.
void choosePlaneFromList(DisplayPlane plane, Actions& actions, float width) {
  size_t chosen = static_cast<size_t>(plane);
  ImGui::SetNextItemWidth(width);
  const size_t listed = std::max(kUsualPlanes, chosen + 1);
  if (named("view", choose("##view", {kPlaneNames.begin(), kPlaneNames.begin() + listed}, chosen)))
    actions.show(static_cast<DisplayPlane>(chosen));
}

void choosePlane(DisplayPlane plane, Actions& actions) {
  for (size_t i = 0; i < kUsualPlanes; ++i) {
    const bool chosen = plane == static_cast<DisplayPlane>(i);
    if (i > 0) beside(1);
    if (chosen)
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    const std::string name(kPlaneNames[i]);
    if (button("view_" + name, name.c_str())) actions.show(static_cast<DisplayPlane>(i));
    if (chosen) ImGui::PopStyleColor();
  }
}

}  // namespace

/// Draws the buttons at the right. Returns where they begin, px from the left.
float TopBar::drawRecord(Context& context) {
  const RecordingState& recording = context.model.recording;
  Actions& actions = context.actions;
  const Rect& place = context.layout.places.top;
  const shell::RecordingMeter::Status* status = recording.status();
  const bool on = status != nullptr;
  std::string words = on ? "REC " + shell::clockText(status->elapsed) : "Record";
  if (on && status->rows == 0 && context.model.player.waitsForPlay())
    words += "  press Play";
  else if (on && recording.hasRows())
    words += "  " + counted(status->rows, "row");
  const float dot = ImGui::GetFontSize() * 0.45F;
  const ImVec2 pad = ImGui::GetStyle().FramePadding;
  const float width = buttonWidth(words.c_str()) + 3 * dot + wholePx(6);
  const float arrow = ImGui::GetFrameHeight() + wholePx(2);
  float begin = std::max(0.0F, place.width - width - arrow - wholePx(8));
  const float least = buttonWidth("Open") + ImGui::GetFontSize() * kLeastPlane;
  const float wide = buttonWidth("Report") + wholePx(6);
  if (reports_.possible() && begin - wide > least) {
    ImGui::SameLine(begin - wide);
    if (button("report", "Report",
               "Shows a report on the last recording or export in the browser (Ctrl+R)"))
      actions.perform(Action::report);
    ImGui::SameLine(begin);
    begin -= wide;
  } else {
    ImGui::SameLine(begin);
  }
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, kRecord);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, IM_COL32(240, 96, 100, 255));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Button("##record", {width, 0})) actions.perform(Action::record);
  namedWords("record", words);
  if (on) ImGui::PopStyleColor(2);
  hint(on ? "Stop recording (R)\n" + recording.room()
          : "Record " + record.chosen().name + " into a new file (R)");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = at.y + ImGui::GetFrameHeight() / 2;
  list.AddCircleFilled({at.x + pad.x + dot, middle}, dot, on ? IM_COL32_WHITE : kRecord);
  list.AddText({at.x + pad.x + 2 * dot + wholePx(6), at.y + pad.y}, on ? IM_COL32_WHITE : kText,
               words.c_str());
  beside(2);
  if (named("record_options", ImGui::ArrowButton("##options", ImGuiDir_Down)))
    ImGui::OpenPopup("record options");
  hint("Format of the recording, and streams");
  record.draw(context.model.player);
  return begin;
}

void TopBar::draw(Context& context) {
  const DisplayPlane plane = context.viewState.plane;
  Actions& actions = context.actions;
  const Area area("top", context.layout.places.top);
  if (button("open_button", "Open", "Open another recording (Ctrl+O), or drop files on the window"))
    actions.perform(Action::open);
  const float em = ImGui::GetFontSize(), after = buttonWidth("Open") + wholePx(8);
  const float end = drawRecord(context);
  // Shortens the title between both sides first, then replaces the buttons by a list.
  const float planes = planesWidth(), apart = em * 1.4F;
  const float room = end - after - apart;
  const bool list = room < planes + apart + em * kLeastTitle;
  const float wanted = list ? std::min(em * 7, room) : planes;
  const auto& sources = context.model.task.sources;
  const std::string shown = titleThatFits(sources, room - wanted - 2 * apart);
  float at = after;
  if (!shown.empty()) {
    ImGui::SameLine(at + apart / 2);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(shown.c_str());
    named("title");
    const std::string title = titleOf(sources, nameOfSource(sources.front().shown()));
    if (shown != title) hint(title);
    at += apart / 2 + ImGui::CalcTextSize(shown.c_str()).x;
  }
  if (wanted < em * kLeastPlane / 2) return;
  ImGui::SameLine(at + apart);
  list ? choosePlaneFromList(plane, actions, wanted - apart / 2) : choosePlane(plane, actions);
}

void TopBar::describe(nlohmann::json& to) const {
  to["record_as"] = record.chosen().name;
}

}  // namespace glint::ui
