// Brings a frame to the device while it is still being written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// A frame's room on the device, to which pieces of it are copied once they are written. What is
/// recorded later finds them there: a Recorder begins behind all that was submitted before. One
/// thread at a time.
class EarlyUpload {
 public:
  /// A submission costs the device about 20 us: in smaller pieces all frames are there later.
  static constexpr size_t kLeastPiece = 1 << 20;

  /// Of the first `bytes` of `from`, in pieces of `piece` bytes, which is at least 1. `device` must
  /// outlive all calls but the destructor. Throws Error when the device has no room.
  EarlyUpload(const Device& device, const Buffer& from, size_t bytes, size_t piece);
  ~EarlyUpload();  // waits for what is in flight
  EarlyUpload(const EarlyUpload&) = delete;
  EarlyUpload& operator=(const EarlyUpload&) = delete;

  /// Another frame is going to be written: nothing of it is on its way. Whoever used the one before
  /// has waited for it.
  void restart() { sent_ = 0; }

  /// The first `bytes` of the frame are written, and stay so. Sends the pieces that are whole, but
  /// for the last one: who uses the frame copies all from sent() on. On a device that fails nothing
  /// is sent any more.
  void written(size_t bytes) noexcept;

  size_t sent() const { return sent_ * piece_; }  ///< bytes
  const Buffer& buffer() const { return buffer_; }

 private:
  void wait() const;

  const Device& device_;
  const Timeline timeline_;  // before all else of the device, which it keeps alive
  Buffer buffer_;
  size_t piece_;
  vk::raii::CommandPool pool_;
  std::vector<vk::raii::CommandBuffer> copies_;  // of each piece but the last one
  size_t sent_ = 0;                              // pieces
  uint64_t submitted_ = 0;
};

}  // namespace glint::gpu
