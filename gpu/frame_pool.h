// A pool of mapped staging memory for frames.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/early_upload.h"
#include "gpu/frame.h"
#include "gpu/late_colour.h"
#include "shared/plane.h"

namespace glint::gpu {

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
  std::unique_ptr<EarlyUpload> early = {};        ///< where frames are uploaded while written
  std::unique_ptr<LateColour> colour = {};        ///< where there is `grey`

  /// Where a layer's pixels lie, for who writes them or reads `grey`: of neutral frames that may be
  /// all there is.
  ImageView room(uint32_t layer) const;
  /// The pixels of one layer, in colour where that is its format. Thread-safe once it is set.
  ImageView layer(uint32_t layer) const;
  /// Whether `grey` holds the luminance of every layer.
  bool neutral() const;
  /// All stamps empty, all states `ended`.
  void clear();
  void set(uint32_t layer, const FrameStamp& stamp);
  void set(uint32_t layer, CameraState withoutFrame);
  /// The first rows of a layer are written, and all layers before it: with Upload::early they set
  /// off.
  void written(uint32_t layer, uint32_t rows) noexcept;
};

/// A frame being processed; its slot is free again when the last holder lets go.
using FrameLease = std::shared_ptr<const FrameSlot>;

/// When frames are uploaded, where the device has memory of its own.
enum class Upload {
  whole,  ///< when they are used
  early   ///< while they are written, as FrameSlot::written() tells; large ones, if there is room
};

/// New slots, cleared. Throws Error when the device has no room.
std::vector<std::unique_ptr<FrameSlot>> makeSlots(const Device& device, const FrameFormat& format,
                                                  uint32_t slots, Upload upload = Upload::whole);

/// Slots of one format. Thread-safe.
class FramePool {
 public:
  /// `freed` is called, by whichever thread lets go, after a slot has come back; it may outlive the
  /// pool as leases do.
  FramePool(const Device& device, const FrameFormat& format, uint32_t slots,
            std::function<void()> freed = {}, Upload upload = Upload::whole);

  /// A free slot, cleared, which comes back when the last holder lets go; null if all are held. The
  /// writer passes it on as a FrameLease once it is filled.
  std::shared_ptr<FrameSlot> take();
  bool hasFree() const;
  const FrameFormat& format() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the leases, which may outlive the pool
};

}  // namespace glint::gpu
