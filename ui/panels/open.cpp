// Choosing other sources: files, a folder of images, what was opened before, or anything typed.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/colours.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr size_t kMostRecent = 5;

void drawRecent(Context& context) {
  const Chooser& chooser = context.chooser;
  if (chooser.recent.empty()) return;
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "Opened before");
  for (size_t i = 0; i < std::min(chooser.recent.size(), kMostRecent); ++i) {
    const std::string name = joinedNames(chooser.recent[i]) + "##recent" + std::to_string(i);
    if (ImGui::Selectable(name.c_str())) context.open(chooser.recent[i]);
  }
  ImGui::Separator();
}

void enter(Chooser& chooser, const std::string& folder) {
  chooser.folder->open(folder);
  chooser.chosen.clear();
}

/// The folders on the way to this one.
void drawWay(Chooser& chooser) {
  std::string wanted;
  for (const auto& [name, path] : chooser.folder->way()) {
    if (ImGui::SmallButton((name + "##" + path).c_str())) wanted = path;
    ImGui::SameLine(0, 2);
  }
  ImGui::NewLine();
  if (!wanted.empty()) enter(chooser, wanted);
}

void drawUsual(Chooser& chooser, float height) {
  ImGui::BeginChild("usual", {ImGui::GetFontSize() * 9, height}, true);
  for (const auto& [name, path] : chooser.usual)
    if (ImGui::Selectable((name + "##" + path).c_str())) enter(chooser, path);
  ImGui::EndChild();
}

void drawEntry(Context& context, const FolderEntry& entry, std::string& entered) {
  Chooser& chooser = context.chooser;
  const std::string file = chooser.folder->file(entry.name);
  const bool chosen = chooser.chosen.contains(file);
  const bool clicked = ImGui::Selectable((entry.name + (entry.folder ? "/" : "")).c_str(), chosen);
  context.driver.note("entry:" + entry.name);
  if (!clicked) return;
  if (entry.folder) {
    entered = file;
  } else if (!ImGui::GetIO().KeyCtrl) {
    context.open({file});
  } else if (chosen) {
    chooser.chosen.erase(file);
  } else {
    chooser.chosen.insert(file);
  }
}

void drawFolder(Context& context) {
  Chooser& chooser = context.chooser;
  drawWay(chooser);
  const float height = -ImGui::GetFrameHeightWithSpacing() * 2.4F;
  drawUsual(chooser, height);
  ImGui::SameLine();
  ImGui::BeginChild("files", {0, height}, true);
  if (!chooser.folder->problem().empty())
    ImGui::TextWrapped("%s", chooser.folder->problem().c_str());
  std::string entered;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(chooser.folder->entries().size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawEntry(context, chooser.folder->entries()[static_cast<size_t>(i)], entered);
  ImGui::EndChild();
  if (!entered.empty()) enter(chooser, entered);
}

void drawTyped(Context& context) {
  Chooser& chooser = context.chooser;
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 14);
  const bool entered = ImGui::InputTextWithHint(
      "##source", "a file, a pattern such as shot_%04d.png, or synth:dancer", chooser.typed.data(),
      chooser.typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  context.driver.note("source");
  ImGui::SameLine();
  const std::string typed(chooser.typed.data());
  const size_t several = chooser.chosen.size();
  ImGui::BeginDisabled(typed.empty() && several == 0);
  const std::string name = several > 0 ? fmt::format("Open {} files###go", several) : "Open###go";
  if (ImGui::Button(name.c_str()) || (entered && !typed.empty())) {
    if (typed.empty())
      context.open({chooser.chosen.begin(), chooser.chosen.end()});
    else
      context.open({typed});
  }
  context.driver.note("open_go");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("This folder")) context.open({chooser.folder->path().string()});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Its images, as one recording");
}

void begin(Context& context) {
  Chooser& chooser = context.chooser;
  chooser.begun = true;
  chooser.chosen.clear();
  chooser.recent = context.recent();
  chooser.usual = usualFolders();
  chooser.folder.emplace(chooser.start.empty() ? "." : chooser.start);
  auto suffixes = recordingSuffixes();
  suffixes.emplace_back(".toml");  // settings
  chooser.folder->setSuffixes(std::move(suffixes));
}

}  // namespace

std::string joinedNames(const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : "  +  ") + source;
  return text;
}

void drawOpen(Context& context) {
  Chooser& chooser = context.chooser;
  if (!chooser.open) {
    chooser.begun = false;
    return;
  }
  if (!chooser.begun) begin(context);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(screen.x - 20, em * 48), std::min(screen.y - 20, em * 36)});
  ImGui::Begin("Open", &chooser.open,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  drawRecent(context);
  drawFolder(context);
  drawTyped(context);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint),
                     "Several (Ctrl and a click, or dropped on the window) are cameras of one "
                     "session. A .toml file is settings.");
  chooser.start = chooser.folder->path().string();
  context.driver.note("open");
  ImGui::End();
}

}  // namespace glint::ui
