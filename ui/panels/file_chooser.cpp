#include "ui/panels/file_chooser.h"

#include <algorithm>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture/source/source_kinds.h"
#include "app/shell/desk/recording_meter.h"
#include "config/printable.h"
#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kMostRecent = 5;
constexpr float kAbout = 15;  // font sizes, width of the column of sizes and dates

/// Returns the size of a file and the local time of its last change: "12.3 MB, 2026-03-01 14:03".
std::string aboutFile(const shell::FolderEntry& entry) {
  return fmt::format("{}, {:%Y-%m-%d %H:%M}", shell::bytesText(entry.bytes),
                     fmt::localtime(entry.changed));
}

}  // namespace

std::string joinedNames(const std::vector<Address>& sources) {
  std::string text;
  for (const Address& source : sources)
    text += (text.empty() ? "" : "  +  ") + printable(source.shown());
  return text;
}

void FileChooser::drawRecent() {
  if (recent_.empty()) return;
  faint("Recent");
  for (size_t i = 0; i < std::min(recent_.size(), kMostRecent); ++i) {
    const std::string name = joinedNames(recent_[i]) + "##recent" + std::to_string(i);
    noteLetters(name);
    if (!ImGui::Selectable(name.c_str())) continue;
    const Address& first = recent_[i].front();
    if (recent_[i].size() == 1 && !first.isComplete())
      // The user has to add the password.
      typed_[first.shown().copy(typed_.data(), typed_.size() - 1)] = '\0';
    else
      actions_.open(recent_[i]);
  }
  ImGui::Separator();
}

void FileChooser::enter(const std::string& folder) {
  folder_->open(folder);
  chosen_.clear();
  folderChosen_.clear();
}

/// Draws the folders on the way to the present one as buttons.
void FileChooser::drawWay() {
  std::string wanted;
  for (const auto& [name, path] : folder_->way()) {
    noteLetters(name);
    if (ImGui::SmallButton((name + "##" + path).c_str())) wanted = path;
    beside(2);
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

/// Draws one entry of the folder. A click selects it; with Ctrl, adds it to the selection; a double
/// click opens it.
void FileChooser::drawEntry(const shell::FolderEntry& entry, std::string& entered) {
  const std::string file = folder_->file(entry.name);
  const bool chosen = chosen_.contains(file) || (entry.folder && folderChosen_ == file);
  const float width = ImGui::GetContentRegionAvail().x, about = kAbout * ImGui::GetFontSize();
  const float left = ImGui::GetCursorPosX();
  const bool clicked =
      selectable("entry:" + entry.name, printable(entry.name) + (entry.folder ? "/" : ""), chosen,
                 ImGuiSelectableFlags_AllowDoubleClick | ImGuiSelectableFlags_DontClosePopups);
  if (!entry.folder && width > 2 * about) {
    ImGui::SameLine(left + width - about);
    text(kFaint, aboutFile(entry));
    namedWords("about:" + entry.name, aboutFile(entry));
  }
  if (!clicked) return;
  problem_.clear();
  typed_.front() = '\0';
  const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  const bool adds = ImGui::GetIO().KeyCtrl && !entry.folder;
  if (!adds) chosen_.clear();
  folderChosen_.clear();
  if (entry.folder) {
    folderChosen_ = file;
    if (twice) entered = file;
  } else if (twice && !adds) {
    openThese({Address(file)});
  } else if (adds && chosen) {
    chosen_.erase(file);
  } else {
    chosen_.insert(file);
  }
}

/// Opens the sources if all of them exist. Otherwise shows in this window which one does not.
void FileChooser::openThese(const std::vector<Address>& sources) {
  for (const Address& address : sources) {
    const std::string& source = address.shown();
    std::error_code error;
    const bool pattern =
        source.find('%') != std::string::npos || source.find('?') != std::string::npos;
    if (!capture::isPathSource(source) || pattern || std::filesystem::exists(source, error))
      continue;
    problem_ = fmt::format("There is no file '{}'.", printable(source));
    return;
  }
  problem_.clear();
  actions_.open(sources);
}

void FileChooser::drawFolder() {
  drawWay();
  // The space below the lists: a field for typing, and two lines for a problem.
  const float height =
      -ImGui::GetFrameHeightWithSpacing() - 2 * ImGui::GetTextLineHeightWithSpacing();
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
  const size_t several = chosen_.size();
  const std::string name = several > 1 ? fmt::format("Open {} files###go", several) : "Open###go";
  constexpr const char* kAsImages = "Open as images";
  const float beside =
      buttonWidth(name.c_str()) + buttonWidth(kAsImages) + 2 * ImGui::GetStyle().ItemSpacing.x;
  const bool entered = textField("source", typed_, -beside,
                                 "a file, a pattern such as shot_%04d.png, or synth:dancer",
                                 ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const std::string typed(typed_.data());
  const bool any = !typed.empty() || several > 0 || !folderChosen_.empty();
  const bool pressed = button("open_go", name.c_str(), "", {}, any);
  ImGui::SameLine();
  const std::string& images = folderChosen_.empty() ? folder_->path().string() : folderChosen_;
  const bool folder =
      button("open_folder", kAsImages, "Opens the folder's images as one recording");
  if (folder) return openThese({Address(images)});
  if (!pressed && !(entered && !typed.empty())) return;
  std::error_code error;
  if (std::filesystem::is_directory(typed, error)) {
    typed_.front() = '\0';
    enter(typed);
  } else if (!typed.empty()) {
    openThese({Address(typed)});
  } else if (several > 0) {
    openThese({chosen_.begin(), chosen_.end()});
  } else {
    enter(std::string(folderChosen_));
  }
}

/// Returns the folder to begin with: that of the open recording, or the one that was browsed last.
std::string FileChooser::firstFolder() const {
  if (!browsed_ && !task_.empty && capture::isPathSource(task_.sources.front().shown()))
    return std::filesystem::absolute(task_.sources.front().shown()).parent_path().string();
  return start.empty() ? "." : start;
}

void FileChooser::begin() {
  begun_ = begins_ = opens_ = true;
  problem_.clear();
  folderChosen_.clear();
  chosen_.clear();
  recent_ = recentOf_();
  usual_ = shell::usualFolders();
  folder_.emplace(firstFolder());
  browsed_ = true;
  auto suffixes = capture::recordingSuffixes();
  suffixes.emplace_back(".toml");   // files of settings
  suffixes.emplace_back(".glint");  // projects
  folder_->setSuffixes(std::move(suffixes));
}

void FileChooser::drawFiles() {
  start = folder_->path().string();
  drawRecent();
  drawFolder();
  drawTyped();
  if (!problem_.empty()) return dialogProblem("open_problem", problem_);
  wrapped(kFaint,
          "Ctrl+click selects several files, one per synchronised camera. A .toml file contains "
          "settings, a .glint file a project.");
}

void FileChooser::draw(Context&) {
  if (!open && !begun_) return;
  if (!begun_) begin();
  const float em = ImGui::GetFontSize();
  if (!beginDialog("Open", opens_, {em * 48, em * 36}, &open)) {
    open = begun_ = false;
    return;
  }
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
  if (open) named("open");
  endDialog(!open);
  begun_ = open;
}

void FileChooser::describe(nlohmann::json& to) const {
  to["choosing"] = open;
  to["open_says"] = problem_;
}

}  // namespace glint::ui
