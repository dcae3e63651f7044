// Writes several files so that either all of them appear, or none. Internal to desk/.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace glint::shell {

/// Files that are written in new folders beside their final places, and then moved there all
/// together. One thread.
class StagedFiles {
 public:
  StagedFiles() = default;
  // Removes the files that were not moved.
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Returns the place at which the file `path` is to be written. It has the same name, but another
  /// folder. Files that are written beside it belong beside `path`. Throws Error naming the folder
  /// if nothing can be created there, and UsageError if `path` is not a file.
  std::string place(const std::string& path);

  /// Moves all files that were written. Throws Error naming the first one that could not be moved;
  /// those before it are moved.
  void move();

  /// Returns `sentence` with the final names of files instead of those at which they are written.
  std::string inOwnNames(std::string sentence) const;

 private:
  // Pairs of folders: the one in which files are written, and the one in which they belong.
  std::vector<std::pair<std::string, std::string>> folders_;
};

}  // namespace glint::shell
