#include "app/output/pictures/video_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/base/waiting.h"
#include "config/error.h"

namespace glint::output {
namespace {

// Bytes of the buffers, as large as those of libav's own files and pipes.
constexpr int kFileBuffer = 262144, kPipeBuffer = 32768;  // bytes

bool isPipe(int file) {
  struct stat info {};
  return ::fstat(file, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

}  // namespace

VideoFile::VideoFile(std::shared_ptr<FileClaim> claim) : claim_(std::move(claim)) {}

VideoFile::~VideoFile() {
  close();
}

// Opens the file for libav. Containers go back at the end to fill in what was not known before. A
// descriptor that appends does not allow that.
AVIOContext* VideoFile::open() {
  start_ = claim_->begin();
  flags_ = ::fcntl(claim_->handle(), F_GETFL);
  ::fcntl(claim_->handle(), F_SETFL, flags_ & ~O_APPEND);
  const bool pipe = isPipe(claim_->handle());
  const int size = pipe ? kPipeBuffer : kFileBuffer;
  auto* buffer = static_cast<uint8_t*>(av_malloc(static_cast<size_t>(size)));
  io_.reset(buffer
                ? avio_alloc_context(buffer, size, 1, this, nullptr, write, pipe ? nullptr : seek)
                : nullptr);
  if (io_) return io_.get();
  av_free(buffer);
  throw Error("cannot write '{}': {}", path(), capture::libav::reason(AVERROR(ENOMEM)));
}

int VideoFile::close() {
  if (!io_) return 0;
  avio_flush(io_.get());
  const int code = std::min(io_->error, 0);
  io_.reset();
  if (claim_->isShared()) ::lseek(claim_->handle(), 0, SEEK_END);
  ::fcntl(claim_->handle(), F_SETFL, flags_);
  return code;
}

int VideoFile::write(void* file, uint8_t* bytes, int size) {
  const auto& self = *static_cast<VideoFile*>(file);
  const base::Waiting waiting("room in", self.path());
  for (int done = 0; done < size;) {
    const ssize_t n =
        ::write(self.claim_->handle(), bytes + done, static_cast<size_t>(size - done));
    if (n < 0 && errno != EINTR) return AVERROR(errno);
    done += static_cast<int>(std::max<ssize_t>(n, 0));
  }
  return size;
}

int64_t VideoFile::seek(void* file, int64_t offset, int whence) {
  const auto& self = *static_cast<VideoFile*>(file);
  const int handle = self.claim_->handle();
  struct stat info {};
  int64_t at = 0;
  if (whence == AVSEEK_SIZE)
    at = ::fstat(handle, &info) == 0 ? info.st_size : -1;
  else
    at =
        ::lseek(handle, whence == SEEK_SET ? self.start_ + offset : offset, whence & ~AVSEEK_FORCE);
  return at < 0 ? AVERROR(errno) : at - self.start_;
}

}  // namespace glint::output
