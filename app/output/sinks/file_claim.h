// A file that a run will write. It is reserved before the run begins.
#pragma once

#include <string>

#include <sys/types.h>

namespace glint::output {

/// The claim of a run on a file. It makes sure that `path` can be written, and that no other run
/// writes it. The contents of an existing file stay until the holder begins to write. A file that
/// was created here and never written is removed, so that a run that is refused leaves nothing
/// behind. If the path leads to standard output or standard error, the claim is that stream. Throws
/// Error naming the file.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  const std::string& path() const { return path_; }
  /// Makes the next claim of `path` take `file` instead of opening it. `file` was created there,
  /// and is open for appending.
  static void offer(const std::string& path, int file);
  /// Takes back the file that was offered for `path` and that no claim has taken. Returns -1 if
  /// there is none.
  static int withdraw(const std::string& path);

  /// Returns the descriptor, which is open for appending.
  int handle() const { return file_; }
  /// Returns true if others write into the file, too, as into standard output. Then begin() does
  /// not empty it.
  bool isShared() const { return shared_; }
  bool isRegular() const { return regular_; }

  /// Takes over the file for the run and empties it, unless others write into it. Returns the
  /// position at which the run's bytes begin. Throws Error.
  off_t begin();

  /// Checks the file once everything is written. Throws Error if the path no longer leads to the
  /// file. If the file was removed, writes it again.
  void confirm() const;

 private:
  void open();
  void lock() const;
  [[noreturn]] void saveAgain() const;

  std::string path_;
  int file_ = -1;
  // kept_: the destructor must not remove the file.
  bool kept_ = false, shared_ = false, regular_ = false;
};

}  // namespace glint::output
