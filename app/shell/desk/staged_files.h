// Files that come into being together, or not at all. Internal to desk/.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace glint::shell {

/// Gives every file a place to be written at, in a new folder beside it, and moves them all to
/// where they belong at the end. One thread's.
class StagedFiles {
 public:
  StagedFiles() = default;
  ~StagedFiles();  // what was not moved is removed
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Where to write what shall be `path` in the end; the name is the same, the folder another one,
  /// and what is written beside it belongs beside `path`. Throws Error naming the folder where
  /// nothing can be made, UsageError where `path` is no file.
  std::string place(const std::string& path);

  /// Moves all that was written. Throws Error naming the first that could not be moved; those
  /// before it are moved.
  void move();

  /// `sentence` with the files' own names in place of those they are written at.
  std::string inOwnNames(std::string sentence) const;

 private:
  std::vector<std::pair<std::string, std::string>> folders_;  // written in, belongs in
};

}  // namespace glint::shell
