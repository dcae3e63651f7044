// A text file that never contains a part of a row, whatever happens.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "app/output/sinks/file_claim.h"

namespace glint::output {

/// A file of rows, which are gathered and written in blocks. A block is written at the first row or
/// poll() that comes kFlushInterval after the last block, or when it is large. If a block cannot be
/// written completely (a full disk), the file is cut back to the last whole row.
class RowFile {
 public:
  static constexpr auto kFlushInterval = std::chrono::milliseconds(250);

  /// Creates or opens the file. Its contents stay until the first block is written. So a run that
  /// is refused keeps an earlier result, and leaves no file if there was none. Rows that are not
  /// flushed before the destructor are lost. Throws Error naming the file.
  explicit RowFile(const std::string& path);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Adds whole lines, each with its line end.
  void add(std::string_view rows);
  /// Writes the rows that have waited long enough.
  void poll();
  void flush();
  /// Writes the remaining rows; nothing may follow. Throws Error also if the file was removed or
  /// moved meanwhile. All four functions throw Error if the file cannot be written, and ReaderLeft
  /// if it is a pipe that nobody reads any more.
  void finish();

  const std::string& path() const { return file_.path(); }
  /// Returns true if the file has earlier contents that have not been overwritten yet.
  bool holdsEarlier() const { return earlier_ && !begun_; }

 private:
  void cutBack(size_t whole);
  [[noreturn]] void fail(int error);

  FileClaim file_;
  bool begun_ = false, earlier_ = false;
  std::string waiting_;
  size_t written_ = 0;  // bytes of whole rows in the file
  // Position at which the rows begin, in bytes.
  off_t start_ = 0;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace glint::output
