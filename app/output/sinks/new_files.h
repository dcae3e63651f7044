// Files that are made for somebody who may not touch any other: new ones, below one folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace glint::output {

/// New files that no output has taken are removed again with it.
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

class NewFileFolder {
 public:
  /// Throws UsageError where there is no such folder; `option` begins the message.
  NewFileFolder(const std::string& path, const std::string& option);
  ~NewFileFolder();
  NewFileFolder(const NewFileFolder&) = delete;
  NewFileFolder& operator=(const NewFileFolder&) = delete;

  /// The path of a name below the folder. Throws UsageError for an absolute name and one with "..".
  std::string path(const std::string& name) const;

  /// Makes every one of the files, given by path(), for the FileClaim that follows. Throws
  /// UsageError where one is there already, or a link leads out of the folder, Error where it
  /// cannot be made. No moment lies between look and deed: what is there is never opened.
  NewFiles make(const std::vector<std::string>& paths) const;

 private:
  std::string path_;  ///< with its slash; empty: the working folder
  int folder_ = -1;
};

}  // namespace glint::output
