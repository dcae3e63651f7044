#include "app/base/whole_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "config/error.h"

namespace glint::base {
namespace {

// The name of a file that is being written, for a signal handler; null: there is none.
std::atomic<const char*> unfinished = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler uses it");

/// Returns 0, or errno.
int writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return 0;
}

/// Returns 0, or errno.
int writeAndClose(int file, std::span<const std::byte> bytes) {
  if (file < 0) return errno;
  const int error = writeAll(file, bytes);
  const bool closed = ::close(file) == 0;
  return error != 0 || closed ? error : errno;
}

[[noreturn]] void failToWrite(const std::string& path, int error) {
  throw Error("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace

FileBeside::FileBeside(const std::string& path) : path_(path), target_(followLinks(path)) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC;
  if (::access(target_.c_str(), W_OK) != 0 && errno != ENOENT) failToWrite(path_, errno);
  // A file that has such a name already belongs to another run, or was left by a run that was
  // killed.
  for (int i = 0; file_ < 0 && (i == 0 || errno == EEXIST); ++i) {
    beside_ = (target_.parent_path() / fmt::format(".glint-{}-{}.part", ::getpid(), i)).string();
    file_ = ::open(beside_.c_str(), kFlags, 0666);
  }
  if (file_ < 0) failToWrite(path_, errno);
  unfinished = beside_.c_str();
  struct stat before {};
  if (::stat(target_.c_str(), &before) == 0) ::fchmod(file_, before.st_mode & 0777);
}

FileBeside::~FileBeside() {
  if (file_ >= 0) ::close(file_);
  if (!replaced_) ::unlink(beside_.c_str());
  const char* own = beside_.c_str();
  unfinished.compare_exchange_strong(own, nullptr);
}

void FileBeside::replace() {
  if (::close(std::exchange(file_, -1)) != 0) failToWrite(path_, errno);
  if (std::rename(beside_.c_str(), target_.c_str()) != 0) failToWrite(path_, errno);
  replaced_ = true;
}

void removeUnfinishedFile() {
  if (const char* name = unfinished) ::unlink(name);
}

void writeWholeFile(const std::string& path, std::span<const std::byte> bytes) {
  int error = 0;
  if (const auto stream = standardStream(path)) {
    std::fflush(nullptr);  // so that earlier output comes first
    error = writeAll(*stream, bytes);
  } else if (isDevice(path)) {
    const Waiting waiting("a reader of", path);
    error = writeAndClose(::open(path.c_str(), O_WRONLY | O_CLOEXEC), bytes);
  } else {
    FileBeside file(path);
    error = writeAll(file.handle(), bytes);
    if (error == 0) file.replace();
  }
  if (error != 0) failToWrite(path, error);
}

}  // namespace glint::base
