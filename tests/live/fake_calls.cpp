// The calls of the C library that fake cameras replace. Calls on other files go to the kernel.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_camera.h"

using namespace fake;

namespace {

int openAny(const char* path, int flags, unsigned mode) {
  if (Camera* camera = byPath(path)) return openCamera(*camera);
  return static_cast<int>(raw(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, mode));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return openAny(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return openAny(path, flags, mode);
}

int ioctl(int file, unsigned long request, ...) noexcept {
  va_list rest;
  va_start(rest, request);
  void* with = va_arg(rest, void*);
  va_end(rest);
  if (Camera* camera = byFile(file)) return answer(*camera, file, request, with);
  return static_cast<int>(
      raw(SYS_ioctl, file, static_cast<long>(request), reinterpret_cast<long>(with)));
}

static void* mapAny(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  Camera* camera = (flags & MAP_ANONYMOUS) == 0 ? byFile(file) : nullptr;
  if (camera) {
    flags = MAP_PRIVATE | MAP_ANONYMOUS;
    protection |= PROT_WRITE;  // this library writes into the memory, as the driver would
    file = -1;
  }
  auto* memory =
      reinterpret_cast<void*>(raw(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(bytes),
                                  protection, flags, file, camera ? 0 : offset));
  if (camera && memory != MAP_FAILED)
    camera->buffers.at(static_cast<size_t>(offset) / kPage).data = static_cast<uint8_t*>(memory);
  return memory;
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return mapAny(at, bytes, protection, flags, file, offset);
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int file, off64_t offset) noexcept {
  return mapAny(at, bytes, protection, flags, file, offset);
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (count == 1) {
    if (Camera* camera = byFile(files->fd)) return pollCamera(*camera, *files, milliseconds);
  }
  return static_cast<int>(
      raw(SYS_poll, reinterpret_cast<long>(files), static_cast<long>(count), milliseconds));
}

/// Answers for the files that this process has open.
ssize_t readlink(const char* path, char* target, size_t size) noexcept {
  int process = 0, file = 0;
  const Camera* camera =
      std::sscanf(path, "/proc/%d/fd/%d", &process, &file) == 2 && process == getpid()
          ? byFile(file)
          : nullptr;
  if (!camera)
    return raw(SYS_readlink, reinterpret_cast<long>(path), reinterpret_cast<long>(target),
               static_cast<long>(size));
  const size_t used = std::min(size, camera->path.size());
  std::memcpy(target, camera->path.data(), used);
  return static_cast<ssize_t>(used);
}
int stat(const char* path, struct stat* status) noexcept {
  Camera* camera = byPath(path);
  if (camera) {
    const std::lock_guard lock(mutex());
    camera->advance();
    if (camera->gone) return failWith(ENOENT);
  }
  if (!camera)
    return static_cast<int>(raw(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path),
                                reinterpret_cast<long>(status), 0));
  *status = {};
  status->st_mode = S_IFCHR | 0660;
  status->st_gid = getgid();
  return 0;
}

/// Supports other programs than Glint, with one camera only.
int select(int count, fd_set* reading, fd_set* writing, fd_set* failing, timeval* longest) {
  for (int file = 0; reading && file < count; ++file) {
    Camera* camera = FD_ISSET(file, reading) ? byFile(file) : nullptr;
    if (!camera) continue;
    pollfd waiting{file, POLLIN, 0};
    const int ready = pollCamera(
        *camera, waiting,
        longest ? static_cast<int>(longest->tv_sec * 1000 + longest->tv_usec / 1000) : INT_MAX);
    if (ready == 0) FD_ZERO(reading);
    return ready;
  }
  return static_cast<int>(raw(SYS_select, count, reinterpret_cast<long>(reading),
                              reinterpret_cast<long>(writing), reinterpret_cast<long>(failing),
                              reinterpret_cast<long>(longest)));
}

int close(int file) {
  if (Camera* camera = byFile(file)) {
    const std::lock_guard lock(mutex());
    camera->files.erase(file);
    if (file == camera->owner) camera->streams = false;
  }
  return static_cast<int>(raw(SYS_close, file, 0, 0));
}
}
