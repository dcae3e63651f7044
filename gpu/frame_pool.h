// A pool of mapped staging memory for frames.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/frame.h"
#include "shared/plane.h"

namespace glint {

/// How one layer of frames lies in memory: rows padded to whole 16-byte loads of grey, so that
/// every kernel may load 16 bytes anywhere in a row.
shared::PlaneShape planeShape(const ImageFormat& image);

/// The same of its grey: one channel of as many bits.
shared::PlaneShape greyShape(ImageFormat image);

/// Bytes of all layers of a plane.
size_t planeBytes(const shared::PlaneShape& shape, uint32_t layers);

/// One frame of all cameras of a format in staging memory.
struct FrameSlot {
  FrameFormat format;
  Buffer buffer;
  std::optional<Buffer> grey;  ///< for neutral frames; colour of 8 bits on CPUs only
  std::vector<std::optional<FrameStamp>> stamps;  ///< a layer's; set where its state is `frame`
  std::vector<CameraState> states;                ///< a layer's

  /// The pixels of one layer.
  ImageView layer(uint32_t layer) const;
  /// Whether `grey` holds the luminance of every layer.
  bool neutral() const;
  /// All stamps empty, all states `ended`.
  void clear();
  void set(uint32_t layer, const FrameStamp& stamp);
  void set(uint32_t layer, CameraState withoutFrame);
};

/// A frame being processed; its slot is free again when the last holder lets go.
using FrameLease = std::shared_ptr<const FrameSlot>;

/// New slots, cleared. Throws Error when the device has no room.
std::vector<std::unique_ptr<FrameSlot>> makeSlots(const Device& device, const FrameFormat& format,
                                                  uint32_t slots);

/// Slots of one format. Thread-safe.
class FramePool {
 public:
  /// `freed` is called, by whichever thread lets go, after a slot has come back; it may outlive the
  /// pool as leases do.
  FramePool(const Device& device, const FrameFormat& format, uint32_t slots,
            std::function<void()> freed = {});

  /// A free slot, cleared, which comes back when the last holder lets go; null if all are held. The
  /// writer passes it on as a FrameLease once it is filled.
  std::shared_ptr<FrameSlot> take();
  bool hasFree() const;
  const FrameFormat& format() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the leases, which may outlive the pool
};

}  // namespace glint
