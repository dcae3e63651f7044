// The choice of other sources: files, a folder of images, sources that were opened before, or
// anything that is typed.
#pragma once

#include "app/shell/desk/folder_list.h"
#include "ui/panels/camera_chooser.h"

namespace glint::ui {

/// Returns the names of one session's cameras: "a.mp4  +  b.mp4".
std::string joinedNames(const std::vector<Address>& sources);

/// A window over everything else. Main thread.
class FileChooser {
 public:
  /// `cameras` is the list of cameras that can be chosen instead. It comes first if the session is
  /// live.
  FileChooser(Context& context, RecentSources recent, CameraChooser& cameras)
      : actions_(context.actions),
        recentOf_(std::move(recent)),
        cameras_(cameras),
        task_(context.model.task),
        live_(context.model.state().live) {}

  bool open = false;
  /// The folder to begin with, unless a recording is open, whose folder comes first; empty: the
  /// working folder.
  std::string start = {};

  void draw(Context& context);
  /// Writes whether it is open, and its words, into `to`, for tests.
  void describe(nlohmann::json& to) const;
  /// Sets the problem with the sources that were to be opened; an empty text removes it.
  void showProblem(const std::string& problem) { problem_ = problem; }

 private:
  void begin();
  std::string firstFolder() const;
  void drawFiles();
  void enter(const std::string& folder);
  void drawRecent();
  void drawWay();
  void drawUsual(float height);
  void drawEntry(const shell::FolderEntry& entry, std::string& entered);
  void drawFolder();
  void drawTyped();
  void openThese(const std::vector<Address>& sources);

  Actions& actions_;
  RecentSources recentOf_;
  CameraChooser& cameras_;
  const shell::WindowTask& task_;
  const bool live_;
  bool browsed_ = false;  // true once it was open in this session
  // begins_: this is the first picture; opens_: ImGui has not been asked yet to open the dialog.
  bool begins_ = false, opens_ = false;
  bool begun_ = false;  // true once the following was looked up after opening
  std::optional<shell::FolderList> folder_;
  std::vector<std::pair<std::string, std::string>> usual_;  // see usualFolders()
  std::set<std::string> chosen_;              // files that are chosen to be opened together
  std::vector<std::vector<Address>> recent_;  // sources that were opened before
  std::array<char, 2048> typed_ = {};         // the typed names
  std::string folderChosen_;                  // a folder that is chosen instead of files
  std::string problem_;                       // why the sources could not be opened
};

}  // namespace glint::ui
