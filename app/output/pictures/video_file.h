// A claimed file that libav writes into. Internal to sinks/.
#pragma once

#include <cstdint>
#include <memory>

#include "app/capture/video/libav.h"
#include "app/output/sinks/file_claim.h"

namespace glint::output {

class VideoFile {
 public:
  explicit VideoFile(std::shared_ptr<FileClaim> claim);
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;

  const std::string& path() const { return claim_->path(); }
  /// What the file held is gone. Throws Error.
  AVIOContext* open();
  /// Writes what libav still holds; nothing follows. Gives libav's code of the first failure.
  int close();
  /// See FileClaim.
  void confirm() const { claim_->confirm(); }

 private:
  static int write(void* file, uint8_t* bytes, int size);
  static int64_t seek(void* file, int64_t offset, int whence);

  std::shared_ptr<FileClaim> claim_;
  int64_t start_ = 0;  ///< where the video begins, in bytes
  int flags_ = 0;      ///< of the descriptor, as it was
  capture::libav::Io io_;
};

}  // namespace glint::output
