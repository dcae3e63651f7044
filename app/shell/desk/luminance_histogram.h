// The numbers of a frame's pixels for each luminance, and the levels that a screen shows as black
// and white.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::shell {

/// Luminance as detection takes it, at the source's own depth: grey as it is, and of colour (54 R +
/// 183 G + 19 B + 128) >> 8. It is not inverted, even with response.dark.
struct LuminanceHistogram {
  std::vector<uint32_t> counts;  ///< pixels of each value, 0 to full scale: 256 or 65,536 of them
  uint64_t pixels = 0;           ///< sum of the counts

  uint32_t fullScale() const { return static_cast<uint32_t>(counts.size()) - 1; }

  /// Returns the least value that `share` (0 to 1) of the pixels do not exceed; 0 if there are no
  /// pixels.
  uint32_t percentile(double share) const;

  /// Returns `bins` sums of neighbouring values, from 0 to full scale in equal parts. `bins` must
  /// divide counts.size().
  std::vector<uint64_t> binned(size_t bins) const;
};

/// Counts the pixels of one camera's frame, or every `step`th pixel of every `step`th row. A grey
/// image of 1280x720 takes about 0.5 ms with step 1. Any thread.
LuminanceHistogram luminanceHistogram(const gpu::ImageView& image, uint32_t step = 1);

/// The luminances that are drawn black and white; black < white.
struct DisplayRange {
  double black = 0, white = 255;
  bool operator==(const DisplayRange&) const = default;
};

/// Returns the range in which nearly all pixels lie. The share `darkest` of them may be black, and
/// the share `brightest` may be white. Markers are small, so far fewer of the brightest pixels are
/// cut off than of the darkest. If the image is flatter than the share `least` of full scale, the
/// range is widened to that, equally on both sides.
DisplayRange fittedRange(const LuminanceHistogram& histogram, double darkest = 0.01,
                         double brightest = 0.0005, double least = 1.0 / 64);

}  // namespace glint::shell
