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

/// Returns the layout of one layer of frames in memory. Rows are padded to whole 16-byte loads of
/// grey, so that kernels may load 16 bytes anywhere in a row.
shared::PlaneShape planeShape(const ImageFormat& image);

/// Returns the same layout for the grey of an image, with one channel of as many bits.
shared::PlaneShape greyShape(ImageFormat image);

/// Returns the bytes of all layers of a plane.
size_t planeBytes(const shared::PlaneShape& shape, uint32_t layers);

/// One frame of all cameras of a format in staging memory.
struct FrameSlot {
  FrameFormat format;
  Buffer buffer;
  std::optional<Buffer> grey;  ///< grey of neutral frames; only for colour of 8 bits on CPUs
  std::vector<std::optional<FrameStamp>> stamps;  ///< per layer; set if its state is `frame`
  std::vector<CameraState> states;                ///< per layer
  std::unique_ptr<EarlyUpload> early = {};        ///< null unless frames are uploaded early
  std::unique_ptr<LateColour> colour = {};        ///< null if there is no `grey`

  /// Returns the memory of a layer, for writing its pixels or for reading `grey`. In neutral frames
  /// only `grey` may be valid.
  ImageView room(uint32_t layer) const;
  /// Returns the pixels of a layer, in colour if that is its format. Colour is made from grey if
  /// necessary. Thread-safe once the layer is set.
  ImageView layer(uint32_t layer) const;
  /// Returns true if `grey` contains the luminance of every layer.
  bool neutral() const;
  /// Sets all stamps to empty and all states to `ended`.
  void clear();
  void set(uint32_t layer, const FrameStamp& stamp);
  void set(uint32_t layer, CameraState withoutFrame);
  /// Notes that the first rows of a layer, and all layers before it, are written. With
  /// Upload::early their upload begins.
  void written(uint32_t layer, uint32_t rows) noexcept;
};

/// A frame that is being processed. Its slot becomes free when the last holder releases it.
using FrameLease = std::shared_ptr<const FrameSlot>;

/// The time at which frames are uploaded, if the device has memory of its own.
enum class Upload {
  whole,  ///< when they are used
  early   ///< while they are written (FrameSlot::written()), if they are large and there is room
};

/// Returns new, cleared slots. Throws Error if the device has no room.
std::vector<std::unique_ptr<FrameSlot>> makeSlots(const Device& device, const FrameFormat& format,
                                                  uint32_t slots, Upload upload = Upload::whole);

/// A fixed number of slots of one format. Thread-safe.
class FramePool {
 public:
  /// `freed` is called after a slot has become free, on the thread that released it. This may
  /// happen after the pool is destroyed, since leases may outlive the pool.
  FramePool(const Device& device, const FrameFormat& format, uint32_t slots,
            std::function<void()> freed = {}, Upload upload = Upload::whole);

  /// Returns a free, cleared slot, or null if none is free. It becomes free again when the last
  /// holder releases it. The writer passes it on as a FrameLease after filling it.
  std::shared_ptr<FrameSlot> take();
  bool hasFree() const;
  const FrameFormat& format() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the leases, which may outlive the pool
};

}  // namespace glint::gpu
