// A file that a run will write, taken before the run begins.
#pragma once

#include <string>

namespace glint {

/// Makes sure that `path` can be written, and touches nothing that is there: what the file held
/// goes only when the holder writes. A file that was made here and never written is removed again,
/// so that a run that is refused leaves nothing behind. Throws Error naming the file.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  /// Open for appending.
  int handle() const { return file_; }
  /// The file is the run's from now on.
  void keep() { kept_ = true; }

 private:
  std::string path_;
  int file_ = -1;
  bool kept_ = false;
};

}  // namespace glint
