// What a file chooser shows: a folder, and the way to others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace glint::shell {

struct FolderEntry {
  std::string name;  ///< without the folder; any bytes
  bool folder = false;
};

/// One folder, as it was when it was opened. Used by one thread, which waits for the disk.
class FolderList {
 public:
  static constexpr size_t kMost = 20'000;  ///< entries that are listed

  /// Opens `folder`; relative ones from the working folder.
  explicit FolderList(const std::string& folder) { open(folder); }

  /// Where `folder` is none or cannot be read, the nearest one above it that can is opened, and
  /// problem() says so.
  void open(const std::string& folder);

  const std::filesystem::path& path() const { return path_; }  ///< absolute
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::string& problem() const { return problem_; }  ///< one sentence, or empty

  /// Only files with one of these suffixes (".mp4", any case), and all folders; empty: all.
  /// Neither shows what is hidden, whose name begins with a dot.
  void setSuffixes(std::vector<std::string> suffixes);
  /// Folders first, names as people order them: 2 before 10.
  const std::vector<FolderEntry>& entries() const { return shown_; }

  /// The folders on the way here from the root, each with its whole path.
  std::vector<std::pair<std::string, std::string>> way() const;

 private:
  void select();

  std::filesystem::path path_;
  std::string problem_;
  std::vector<std::string> suffixes_;
  std::vector<FolderEntry> all_, shown_;
};

/// Folders that people go to: their name and path; home, its Videos, Pictures, Documents, Desktop
/// and Downloads where they are there, what is mounted below /media and /mnt, and the root.
std::vector<std::pair<std::string, std::string>> usualFolders();

/// `path` with `suffix` where its name has none, and "name 2", "name 3", ... where that is there
/// already: a place for a new file.
std::string newFileName(const std::string& path, const std::string& suffix);

}  // namespace glint::shell
