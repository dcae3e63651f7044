// Choosing other sources: files, a folder of images, what was opened before, or anything typed.
#pragma once

#include "app/shell/desk/folder_list.h"
#include "ui/panels/camera_chooser.h"

namespace glint::ui {

/// "a.mp4  +  b.mp4": the cameras of one session.
std::string joinedNames(const std::vector<Address>& sources);

/// Over everything. Main thread.
class FileChooser {
 public:
  /// `cameras`: those that can be chosen instead, which come first where the session is live.
  FileChooser(Context& context, RecentSources recent, CameraChooser& cameras)
      : actions_(context.actions),
        recentOf_(std::move(recent)),
        cameras_(cameras),
        live_(context.model.state().live) {}

  bool open = false;
  std::string start = {};  ///< the folder to begin with; empty: the working folder

  void draw(Context& context);
  /// Tells tests whether it is open, and what it says.
  void describe(nlohmann::json& to) const;
  /// Says what is wrong with what was to be opened; empty: nothing.
  void tell(const std::string& problem) { problem_ = problem; }

 private:
  void begin();
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
  const bool live_;
  bool begins_ = false, opens_ = false;
  bool begun_ = false;  // what follows was looked up since it was opened
  std::optional<shell::FolderList> folder_;
  std::vector<std::pair<std::string, std::string>> usual_;  // see usualFolders()
  std::set<std::string> chosen_;                            // files, to be opened together
  std::vector<std::vector<Address>> recent_;
  std::array<char, 2048> typed_ = {};
  std::string folderChosen_;  // instead of files
  std::string problem_;
};

}  // namespace glint::ui
