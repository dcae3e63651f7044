// Copies a frame to the device while it is still being written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// A buffer on the device to which a frame is copied piece by piece, as soon as each piece is
/// written. Passes that a Recorder submits later find the pieces there, because a recording begins
/// after everything that was submitted earlier. Only one thread may use it at a time.
class EarlyUpload {
 public:
  /// Least bytes of a piece. A submission costs the device about 20 us, so with smaller pieces the
  /// whole frame would arrive later.
  static constexpr size_t kLeastPiece = 1 << 20;

  /// Prepares copies of the first `bytes` of `from` in pieces of `piece` bytes, at least 1.
  /// `device` must outlive all calls except the destructor. Throws Error if the device has no room.
  EarlyUpload(const Device& device, const Buffer& from, size_t bytes, size_t piece);
  ~EarlyUpload();  // waits for the copies in flight
  EarlyUpload(const EarlyUpload&) = delete;
  EarlyUpload& operator=(const EarlyUpload&) = delete;

  /// Begins a new frame, of which nothing has been copied yet. The user of the previous frame must
  /// have waited for its copies.
  void restart() { sent_ = 0; }

  /// Notes that the first `bytes` of the frame are written and will not change. Submits copies of
  /// the complete pieces, except for the last piece of the frame. The user of the frame has to copy
  /// everything from sent() on. If the device fails, no more pieces are copied.
  void written(size_t bytes) noexcept;

  /// Returns how many bytes from the beginning of the frame have been submitted as copies.
  size_t sent() const { return sent_ * piece_; }
  const Buffer& buffer() const { return buffer_; }

 private:
  void wait() const;

  const Device& device_;
  const Timeline timeline_;  // keeps the device alive, so it is destroyed after the other members
  Buffer buffer_;
  size_t piece_;
  vk::raii::CommandPool pool_;
  std::vector<vk::raii::CommandBuffer> copies_;  // one for each piece except the last
  size_t sent_ = 0;                              // number of pieces
  uint64_t submitted_ = 0;                       // value of the timeline after the last copy
};

}  // namespace glint::gpu
