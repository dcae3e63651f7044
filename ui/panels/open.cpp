// Choosing other sources: a file, a folder of images, what was opened before, or anything typed.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/colours.h"
#include "ui/file_list.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : "  +  ") + source;
  return text;
}

void go(Context& context, std::vector<std::string> sources) {
  context.next = std::move(sources);
  context.quit = true;
}

void enter(Chooser& chooser, const fs::path& folder) {
  chooser.folder = folder.lexically_normal().string();
  chooser.entries = listFolder(chooser.folder);
}

void drawRecent(Context& context) {
  const Chooser& chooser = context.chooser;
  if (chooser.recent.empty()) return;
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "Opened before");
  for (size_t i = 0; i < std::min<size_t>(chooser.recent.size(), 5); ++i) {
    const std::string name = joined(chooser.recent[i]) + "##recent" + std::to_string(i);
    if (ImGui::Selectable(name.c_str())) go(context, chooser.recent[i]);
  }
  ImGui::Separator();
}

void drawFolder(Context& context) {
  Chooser& chooser = context.chooser;
  const fs::path folder(chooser.folder);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s", chooser.folder.c_str());
  const float below = ImGui::GetFrameHeightWithSpacing() * 2.4F;
  ImGui::BeginChild("files", {0, -below}, true);
  fs::path entered;
  if (folder.has_parent_path() && ImGui::Selectable("../")) entered = folder.parent_path();
  for (const FileEntry& entry : chooser.entries) {
    const std::string name = entry.name + (entry.folder ? "/" : "");
    if (!ImGui::Selectable(name.c_str())) continue;
    if (entry.folder)
      entered = folder / entry.name;
    else
      go(context, {(folder / entry.name).string()});
  }
  ImGui::EndChild();
  if (!entered.empty()) enter(chooser, entered);
}

}  // namespace

void drawOpen(Context& context) {
  Chooser& chooser = context.chooser;
  if (!chooser.open) return;
  if (chooser.folder.empty()) {
    std::error_code error;
    enter(chooser, fs::current_path(error));
    chooser.recent = context.recent();
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(screen.x - 20, em * 44), std::min(screen.y - 20, em * 34)});
  ImGui::Begin("Open", &chooser.open,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  drawRecent(context);
  drawFolder(context);
  ImGui::SetNextItemWidth(-em * 12);
  const bool entered = ImGui::InputTextWithHint(
      "##source", "a file, a pattern such as shot_%04d.png, or synth:dancer", chooser.typed.data(),
      chooser.typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  context.driver.note("source");
  ImGui::SameLine();
  const std::string typed(chooser.typed.data());
  ImGui::BeginDisabled(typed.empty());
  if ((ImGui::Button("Open") || entered) && !typed.empty()) go(context, {typed});
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("This folder")) go(context, {chooser.folder});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Its images, as one recording");
  ImGui::TextColored(
      ImGui::ColorConvertU32ToFloat4(kFaint),
      "Files can be dropped on the window, too: several are cameras of one session.");
  context.driver.note("open");
  ImGui::End();
}

}  // namespace glint::ui
