// Frames on their way from the capture thread to the device: a ring of mapped staging memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/frame.h"
#include "shared/plane.h"

namespace glint {

/// How one layer of frames lies in memory: rows padded to whole 16-byte loads of grey, so that
/// every kernel may load 16 bytes anywhere in a row.
shared::PlaneShape planeShape(const ImageFormat& image);

/// Bytes of all layers of a plane.
size_t planeBytes(const shared::PlaneShape& shape, uint32_t layers);

/// One frame of all cameras in staging memory.
struct FrameSlot {
  FrameFormat format;
  Buffer buffer;
  uint64_t index = 0;          ///< 0, 1, 2 ... in the order of delivery
  uint64_t droppedBefore = 0;  ///< frames replaced since the one before
  std::vector<std::optional<FrameStamp>>
      stamps;  ///< a layer's stamp; empty if its camera has ended

  /// The pixels of one layer.
  ImageView layer(uint32_t layer) const;
};

/// A frame being processed; its slot is free again when the last holder lets go.
using FrameLease = std::shared_ptr<const FrameSlot>;

/// Slots between one writing thread and one reading thread. Thread-safe.
class FrameRing {
 public:
  /// When no slot is free: a recording waits, a live camera replaces the oldest unprocessed frame.
  enum class WhenFull { wait, replaceOldest };

  /// `slots` >= 2 for wait; >= 3 for replaceOldest (one read, one written, one to be replaced).
  FrameRing(const Device& device, const FrameFormat& format, uint32_t slots, WhenFull whenFull);
  ~FrameRing();

  /// The writer's next slot, its stamps empty; null once close() was called. May wait (see
  /// WhenFull).
  FrameSlot* beginWrite();
  /// Hands the slot of beginWrite() to the reader.
  void endWrite(FrameSlot* slot);
  /// No more frames will come; the reader still gets those that were written.
  void finishWriting();

  /// The oldest written frame; waits for one. Null when there are none and none will come.
  FrameLease read();
  /// Ends both sides at once: beginWrite() and read() return null from now on.
  void close();

  /// Frames replaced before they were read.
  uint64_t dropped() const;
  const FrameFormat& format() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the leases, which may outlive the ring
};

}  // namespace glint
