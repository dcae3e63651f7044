// Frames on their way from the capture thread to the device: a ring of mapped staging memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/frame_pool.h"

namespace glint {

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
  /// Hands the slot of beginWrite() to the reader. A layer that has a stamp has a frame.
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
