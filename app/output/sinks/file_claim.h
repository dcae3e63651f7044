// A file that a run will write, taken before the run begins.
#pragma once

#include <string>

#include <sys/types.h>

namespace glint::output {

/// Makes sure that `path` can be written and that no other run writes it, and touches nothing that
/// is there: what the file held goes only when the holder writes. A file that was made here and
/// never written is removed again, so that a run that is refused leaves nothing behind. A path that
/// leads to standard output or standard error is that stream, wherever it stands. Throws Error
/// naming the file.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  const std::string& path() const { return path_; }
  /// The next claim of `path` takes `file`, which was made there and is open for appending, instead
  /// of opening it.
  static void offer(const std::string& path, int file);
  /// The file that was offered and that no claim has taken, or -1.
  static int withdraw(const std::string& path);

  /// Open for appending.
  int handle() const { return file_; }
  /// Whether others write into it, too, as into standard output: it is not emptied then.
  bool isShared() const { return shared_; }
  bool isRegular() const { return regular_; }

  /// The file is the run's from now on, and empty; what was written to a stream already stays.
  /// Gives where the run's own bytes begin. Throws Error.
  off_t begin();

  /// Call it when all is written. Throws Error when the path no longer leads to the file; writes a
  /// removed file again.
  void confirm() const;

 private:
  void open();
  void lock() const;
  [[noreturn]] void saveAgain() const;

  std::string path_;
  int file_ = -1;
  bool kept_ = false, shared_ = false, regular_ = false;
};

}  // namespace glint::output
