// A file that a run will write. It is reserved before the run begins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "app/base/whole_file.h"

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
  /// Returns true if what is written replaces the file only in confirm().
  bool replacesWhole() const { return beside_ != nullptr; }

  /// Takes over the file for the run and empties it, unless others write into it. Returns the
  /// position at which the run's bytes begin. Throws Error.
  off_t begin();

  /// Checks the file once everything is written. Throws Error if the path no longer leads to the
  /// file. If the file was removed, writes it again. If replacesWhole(), gives the new file its
  /// name instead.
  void confirm();

 private:
  void open();
  void lock() const;
  [[noreturn]] void saveAgain() const;

  std::string path_;
  std::unique_ptr<base::FileBeside> beside_;  ///< null unless replacesWhole()
  int file_ = -1;
  // kept_: the destructor must not remove the file.
  bool kept_ = false, shared_ = false, regular_ = false;
};

/// Keeps earlier files until new ones are complete. While this object exists, every claim of one of
/// its paths writes a new file beside it, which replaces the earlier one in confirm(). A claim that
/// ends without confirm() leaves the path as it was. Devices, pipes and standard streams cannot be
/// replaced, and are written as always.
class WholeClaims {
 public:
  explicit WholeClaims(const std::vector<std::string>& paths);
  ~WholeClaims();
  WholeClaims(const WholeClaims&) = delete;
  WholeClaims& operator=(const WholeClaims&) = delete;

 private:
  std::vector<std::string> paths_;
};

}  // namespace glint::output
