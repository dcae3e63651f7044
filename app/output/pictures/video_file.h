// A claimed file that libav writes into. Internal to sinks/.
#pragma once

#include <cstdint>
#include <memory>

#include "app/capture/video/libav.h"
#include "app/output/sinks/file_claim.h"

namespace glint::output {

/// The file of one video, into which libav writes.
class VideoFile {
 public:
  explicit VideoFile(std::shared_ptr<FileClaim> claim);
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;

  const std::string& path() const { return claim_->path(); }
  /// Opens the file for libav, and removes its earlier contents. Throws Error.
  AVIOContext* open();
  /// Writes the bytes that libav still holds; nothing may follow. Returns libav's code of the first
  /// failure.
  int close();
  /// See FileClaim::confirm().
  void confirm() const { claim_->confirm(); }

 private:
  static int write(void* file, uint8_t* bytes, int size);
  static int64_t seek(void* file, int64_t offset, int whence);

  std::shared_ptr<FileClaim> claim_;
  int64_t start_ = 0;  ///< position at which the video begins, in bytes
  /// Original flags of the descriptor.
  int flags_ = 0;
  capture::libav::Io io_;
};

}  // namespace glint::output
