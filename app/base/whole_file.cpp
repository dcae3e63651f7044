#include "app/base/whole_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

/// All three: 0, or errno.
int writeAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return 0;
}

int writeAndClose(int file, std::span<const std::byte> bytes) {
  if (file < 0) return errno;
  const int error = writeAll(file, bytes);
  const bool closed = ::close(file) == 0;
  return error != 0 || closed ? error : errno;
}

/// Writes a new file, which then replaces `target` and takes over its permissions if there is one.
int replace(const std::filesystem::path& target, std::span<const std::byte> bytes) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  if (::access(target.c_str(), W_OK) != 0 && errno != ENOENT) return errno;
  std::string beside;
  int file = -1;
  // A file that has such a name already belongs to another run, or was left by a run that was
  // killed.
  for (int i = 0; file < 0 && (i == 0 || errno == EEXIST); ++i) {
    beside = (target.parent_path() / fmt::format(".glint-{}-{}.part", ::getpid(), i)).string();
    file = ::open(beside.c_str(), kFlags, 0666);
  }
  if (file < 0) return errno;
  unfinished = beside.c_str();
  struct stat before {};
  if (::stat(target.c_str(), &before) == 0) ::fchmod(file, before.st_mode & 0777);
  int error = writeAndClose(file, bytes);
  if (error == 0 && std::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(beside.c_str());
  unfinished = nullptr;
  return error;
}

}  // namespace

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
    error = replace(followLinks(path), bytes);
  }
  if (error != 0) throw Error("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace glint::base
