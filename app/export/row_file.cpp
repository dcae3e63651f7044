#include "app/export/row_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/error.h"

namespace glint {

namespace {
constexpr size_t kBlock = 1 << 16;  // bytes that are not held back any longer
}

RowFile::RowFile(const std::string& path)
    : path_(path), file_(path), flushed_(std::chrono::steady_clock::now()) {
  struct stat info {};
  regular_ = ::fstat(file_.handle(), &info) == 0 && S_ISREG(info.st_mode);
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

void RowFile::flush() {
  flushed_ = std::chrono::steady_clock::now();
  file_.keep();
  if (!std::exchange(begun_, true) && regular_ && ::ftruncate(file_.handle(), 0) != 0) fail(errno);
  size_t done = 0;
  while (done < waiting_.size()) {
    const ssize_t n = ::write(file_.handle(), waiting_.data() + done, waiting_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      const size_t whole = waiting_.rfind('\n', done == 0 ? 0 : done - 1);
      const size_t kept = done == 0 || whole == std::string::npos ? 0 : whole + 1;
      if (regular_ && ::ftruncate(file_.handle(), static_cast<off_t>(written_ + kept)) != 0) {
        // The sentence below is all that can be done.
      }
      written_ += kept;
      waiting_.clear();
      fail(error);
    }
    done += static_cast<size_t>(n);
  }
  written_ += done;
  waiting_.clear();
}

void RowFile::fail(int error) {
  throw Error(fmt::format("cannot write '{}': {}; the {} bytes of whole rows before it are kept",
                          path_, std::strerror(error), written_));
}

}  // namespace glint
