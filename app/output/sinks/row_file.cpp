#include "app/output/sinks/row_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "app/base/waiting.h"
#include "app/output/sinks/sink.h"
#include "config/error.h"

namespace glint::output {

namespace {
constexpr size_t kBlock = 1 << 16;  // bytes after which rows are written without waiting
}

RowFile::RowFile(const std::string& path)
    : file_(path), flushed_(std::chrono::steady_clock::now()) {
  struct stat info {};
  earlier_ = file_.isRegular() && !file_.isShared() && ::fstat(file_.handle(), &info) == 0 &&
             info.st_size > 0;
}

void RowFile::add(std::string_view rows) {
  waiting_ += rows;
  if (waiting_.size() >= kBlock)
    flush();
  else
    poll();
}

void RowFile::poll() {
  if (!waiting_.empty() && std::chrono::steady_clock::now() - flushed_ >= kFlushInterval) flush();
}

void RowFile::cutBack(size_t whole) {
  const off_t end = start_ + static_cast<off_t>(whole);
  if (!file_.isRegular() || ::ftruncate(file_.handle(), end) != 0)
    // If cutting is not possible, only fail() remains.
    return;
  if (file_.isShared()) ::lseek(file_.handle(), end, SEEK_SET);
}

void RowFile::flush() {
  const base::Waiting waiting("room in", path());
  flushed_ = std::chrono::steady_clock::now();
  if (!std::exchange(begun_, true)) start_ = file_.begin();
  size_t done = 0;
  while (done < waiting_.size()) {
    const ssize_t n = ::write(file_.handle(), waiting_.data() + done, waiting_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      const size_t whole = waiting_.rfind('\n', done == 0 ? 0 : done - 1);
      written_ += done == 0 || whole == std::string::npos ? 0 : whole + 1;
      cutBack(written_);
      waiting_.clear();
      fail(error);
    }
    done += static_cast<size_t>(n);
  }
  written_ += done;
  waiting_.clear();
}

void RowFile::finish() {
  flush();
  file_.confirm();
}

void RowFile::fail(int error) {
  if (error == EPIPE)
    throw ReaderLeft("cannot write all of '{}': its reader has closed it", path());
  if (file_.replacesWhole())
    throw Error("cannot write '{}': {}; it is left as it was", path(), std::strerror(error));
  throw Error("cannot write '{}': {}; the {} bytes of finished rows are kept", path(),
              std::strerror(error), written_);
}

}  // namespace glint::output
