// A text file that holds whole rows only, whatever happens.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "app/output/sinks/file_claim.h"

namespace glint::output {

/// Rows are gathered and written in blocks, at the first row or poll() that comes kFlushInterval
/// after the last block. If a block does not fit (a full disk) the file is cut back to the
/// last whole row that did.
class RowFile {
 public:
  static constexpr auto kFlushInterval = std::chrono::milliseconds(250);

  /// Creates the file, or opens it; what it held goes only when the first block is written, so that
  /// a run that is refused keeps an earlier result, and leaves no file where there was none. Throws
  /// Error naming it.
  explicit RowFile(const std::string& path);  // what is not flushed at the end is lost
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// `rows`: whole lines, each with its line end.
  void add(std::string_view rows);
  /// Writes what has waited long enough.
  void poll();
  void flush();
  /// Nothing follows. Throws Error also when the file was removed or moved meanwhile. All four
  /// throw Error when the file cannot be written, ReaderLeft when it is a pipe that nobody reads
  /// any more.
  void finish();

  const std::string& path() const { return file_.path(); }
  /// Whether there was something in the file, which nothing has been written over yet.
  bool holdsEarlier() const { return earlier_ && !begun_; }

 private:
  void cutBack(size_t whole);
  [[noreturn]] void fail(int error);

  FileClaim file_;
  bool begun_ = false, earlier_ = false;
  std::string waiting_;
  size_t written_ = 0;  // bytes of whole rows in the file
  off_t start_ = 0;     // where they begin, in bytes
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace glint::output
