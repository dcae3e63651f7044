// New files below one folder, for requests that must not touch any other file.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace glint::output {

/// Files that were created for outputs. Those that no output has taken are removed by the
/// destructor.
class NewFiles {
 public:
  NewFiles() = default;
  ~NewFiles();
  NewFiles(NewFiles&&) = default;
  NewFiles& operator=(NewFiles&&) = default;

 private:
  friend class NewFileFolder;
  std::vector<std::string> paths_;
};

/// A folder in which new files may be created for outputs.
class NewFileFolder {
 public:
  /// Opens the folder. Throws UsageError if it does not exist; `option` begins the message.
  NewFileFolder(const std::string& path, const std::string& option);
  ~NewFileFolder();
  NewFileFolder(const NewFileFolder&) = delete;
  NewFileFolder& operator=(const NewFileFolder&) = delete;

  /// Returns the path of a name below the folder. Throws UsageError for an absolute name, and for
  /// one with "..".
  std::string path(const std::string& name) const;

  /// Creates the files with these paths, which path() has returned, for the FileClaim that follows.
  /// Throws UsageError if a file exists already, or a link leads out of the folder, and Error if it
  /// cannot be created. Each check and its creation are one step, so an existing file is never
  /// opened.
  NewFiles make(const std::vector<std::string>& paths) const;

 private:
  std::string path_;  ///< path with a slash at its end; empty: the working folder
  int folder_ = -1;
};

}  // namespace glint::output
