// A mask learned from frames without markers: what is bright there again and again is no marker.
#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::capture {

/// A pixel disturbs in a frame where it reaches the threshold that its frame would have once all
/// disturbing pixels are masked: `detect.threshold`, or with "auto" the automatic threshold of the
/// pixels below it. It is in the luminance that this is looked at, with `response.dark` or
/// "inverted" in its inverse.
class MaskLearner {
 public:
  MaskLearner(const Settings& settings, const gpu::ImageFormat& format);

  /// One frame of the format given.
  void add(const gpu::ImageView& image);
  uint64_t frames() const { return frames_; }

  /// Default of how many px around a disturbance are ignored: half of detect.separation.
  static int usualGrow(const Settings& settings);

  /// Ignores pixels that disturbed in at least `share` (0 to 1) of the frames, and at least once,
  /// and all within `grow` px (>= 0). Noise and moving markers disturb in few frames.
  gpu::LayerMask mask(double share, int grow) const;

 private:
  uint32_t thresholdOf(const std::vector<uint32_t>& histogram) const;

  gpu::ImageFormat format_;
  Threshold threshold_;
  double sigma_;
  bool dark_;
  uint64_t frames_ = 0;
  std::vector<uint32_t> values_;  // of the present frame, raster order
  std::vector<uint32_t> counts_;  // frames in which a pixel disturbed
};

}  // namespace glint::capture
