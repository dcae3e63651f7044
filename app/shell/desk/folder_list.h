// The contents of a file chooser: a folder, and the ways to other folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace glint::shell {

/// A file or folder in the folder that is listed.
struct FolderEntry {
  std::string name;  ///< name without its folder; may have any bytes
  bool folder = false;
  uint64_t bytes = 0;       ///< size of a file
  std::time_t changed = 0;  ///< time of the last change, s since 1970
};

/// The contents of one folder when it was opened. One thread, which waits for the disk.
class FolderList {
 public:
  static constexpr size_t kMost = 20'000;  ///< the most entries that are listed

  /// Opens `folder`. A relative path begins at the working folder.
  explicit FolderList(const std::string& folder) { open(folder); }

  /// Opens a folder. If that is not possible, opens the nearest folder above it that can be opened,
  /// and problem() says so.
  void open(const std::string& folder);

  const std::filesystem::path& path() const { return path_; }  ///< absolute
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::string& problem() const { return problem_; }  ///< one sentence, or empty

  /// Lists only files with one of these suffixes (".mp4", in any case), and all folders; with an
  /// empty list, all files. Hidden entries, whose names begin with a dot, are never listed.
  void setSuffixes(std::vector<std::string> suffixes);
  /// Returns the entries: folders first, with names in the order of people, 2 before 10.
  const std::vector<FolderEntry>& entries() const { return shown_; }

  /// Returns the folders from the root to this one, with their names and paths.
  std::vector<std::pair<std::string, std::string>> way() const;

 private:
  void select();

  std::filesystem::path path_;
  std::string problem_;
  std::vector<std::string> suffixes_;
  std::vector<FolderEntry> all_, shown_;
};

/// Returns folders that people often use, with their names and paths: home, its Videos, Pictures,
/// Documents, Desktop and Downloads if they exist, those that are mounted below /media and /mnt,
/// and the root.
std::vector<std::pair<std::string, std::string>> usualFolders();

/// Returns a path for a new file. Adds `suffix` if the name has no suffix, and changes the name to
/// "name 2", "name 3", ... if it exists already.
std::string newFileName(const std::string& path, const std::string& suffix);

}  // namespace glint::shell
