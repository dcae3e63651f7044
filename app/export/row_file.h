// A text file that holds whole rows only, whatever happens.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "app/export/file_claim.h"

namespace glint {

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
  /// Writes what has waited long enough. All three throw Error when the file cannot be written.
  void poll();
  void flush();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error);

  std::string path_;
  FileClaim file_;
  bool regular_ = true;  // a pipe or a terminal cannot be cut back
  bool begun_ = false;
  std::string waiting_;
  size_t written_ = 0;  // bytes of whole rows in the file
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace glint
