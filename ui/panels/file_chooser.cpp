#include "ui/panels/file_chooser.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/capture/source_kinds.h"
#include "config/secrets.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kMostRecent = 5;

}  // namespace

std::string joinedNames(const std::vector<std::string>& sources) {
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : "  +  ") + source;
  return text;
}

void FileChooser::drawRecent() {
  if (recent_.empty()) return;
  faint("Recent");
  for (size_t i = 0; i < std::min(recent_.size(), kMostRecent); ++i) {
    const std::string name = joinedNames(recent_[i]) + "##recent" + std::to_string(i);
    if (!ImGui::Selectable(name.c_str())) continue;
    const std::string& first = recent_[i].front();
    if (recent_[i].size() == 1 && !canReveal(first))
      typed_[first.copy(typed_.data(), typed_.size() - 1)] = '\0';  // for its password
    else
      actions_.open(recent_[i]);
  }
  ImGui::Separator();
}

void FileChooser::enter(const std::string& folder) {
  folder_->open(folder);
  chosen_.clear();
}

/// The folders on the way to this one.
void FileChooser::drawWay() {
  std::string wanted;
  for (const auto& [name, path] : folder_->way()) {
    if (ImGui::SmallButton((name + "##" + path).c_str())) wanted = path;
    ImGui::SameLine(0, 2);
  }
  ImGui::NewLine();
  if (!wanted.empty()) enter(wanted);
}

void FileChooser::drawUsual(float height) {
  ImGui::BeginChild("usual", {ImGui::GetFontSize() * 9, height}, true);
  for (const auto& [name, path] : usual_)
    if (ImGui::Selectable((name + "##" + path).c_str())) enter(path);
  ImGui::EndChild();
}

void FileChooser::drawEntry(const FolderEntry& entry, std::string& entered) {
  const std::string file = folder_->file(entry.name);
  const bool chosen = chosen_.contains(file);
  const bool clicked =
      selectable("entry:" + entry.name, entry.name + (entry.folder ? "/" : ""), chosen);
  if (!clicked) return;
  if (entry.folder) {
    entered = file;
  } else if (!ImGui::GetIO().KeyCtrl) {
    actions_.open({file});
  } else if (chosen) {
    chosen_.erase(file);
  } else {
    chosen_.insert(file);
  }
}

void FileChooser::drawFolder() {
  drawWay();
  const float height = -ImGui::GetFrameHeightWithSpacing() * 2.4F;
  drawUsual(height);
  ImGui::SameLine();
  ImGui::BeginChild("files", {0, height}, true);
  if (!folder_->problem().empty()) ImGui::TextWrapped("%s", folder_->problem().c_str());
  std::string entered;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(folder_->entries().size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawEntry(folder_->entries()[static_cast<size_t>(i)], entered);
  ImGui::EndChild();
  if (!entered.empty()) enter(entered);
}

void FileChooser::drawTyped() {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 14);
  const bool entered =
      named("source", ImGui::InputTextWithHint(
                          "##source", "a file, a pattern such as shot_%04d.png, or synth:dancer",
                          typed_.data(), typed_.size(), ImGuiInputTextFlags_EnterReturnsTrue));
  ImGui::SameLine();
  const std::string typed(typed_.data());
  const size_t several = chosen_.size();
  ImGui::BeginDisabled(typed.empty() && several == 0);
  const std::string name = several > 0 ? fmt::format("Open {} files###go", several) : "Open###go";
  if (button("open_go", name.c_str()) || (entered && !typed.empty())) {
    if (typed.empty())
      actions_.open({chosen_.begin(), chosen_.end()});
    else
      actions_.open({typed});
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("This folder")) actions_.open({folder_->path().string()});
  hint("Opens its images as one recording");
}

void FileChooser::begin() {
  begun_ = begins_ = true;
  chosen_.clear();
  recent_ = recentOf_();
  usual_ = usualFolders();
  folder_.emplace(start.empty() ? "." : start);
  auto suffixes = recordingSuffixes();
  suffixes.emplace_back(".toml");  // settings
  folder_->setSuffixes(std::move(suffixes));
}

void FileChooser::drawFiles() {
  drawRecent();
  drawFolder();
  drawTyped();
  faint(
      "Several files (Ctrl and a click, or dropped on the window) are cameras of one session. A "
      ".toml file holds settings.");
  start = folder_->path().string();
}

void FileChooser::draw() {
  begun_ = begun_ && open;
  if (!open) return;
  if (!begun_) begin();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  placeInMiddle();
  ImGui::SetNextWindowSize({std::min(screen.x - 20, em * 48), std::min(screen.y - 20, em * 36)});
  ImGui::Begin("Open", &open,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  if (ImGui::BeginTabBar("kinds")) {
    const bool files = ImGui::BeginTabItem("Files");
    if (named("open_files", files)) {
      drawFiles();
      ImGui::EndTabItem();
    }
    const bool cameras = ImGui::BeginTabItem("Cameras", nullptr,
                                             live_ && begins_ ? ImGuiTabItemFlags_SetSelected : 0);
    if (named("open_cameras", cameras)) {
      cameras_.draw(ImGui::GetContentRegionAvail().y);
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  begins_ = false;
  named("open");
  ImGui::End();
}

}  // namespace glint::ui
