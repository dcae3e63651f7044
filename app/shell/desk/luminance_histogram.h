// How many pixels of a frame have which luminance, and which levels a screen shows as black and
// white.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::shell {

/// Luminance as detection takes it: grey as it is, of colour (54 R + 183 G + 19 B + 128) >> 8, at
/// the source's own depth. Not inverted, also with response.dark.
struct LuminanceHistogram {
  std::vector<uint32_t> counts;  ///< pixels of each value, 0 to full scale: 256 or 65,536 of them
  uint64_t pixels = 0;           ///< their sum

  uint32_t fullScale() const { return static_cast<uint32_t>(counts.size()) - 1; }

  /// The least value that `share` (0 to 1) of the pixels do not exceed; 0 if there are no pixels.
  uint32_t percentile(double share) const;

  /// `bins` sums of neighbouring values, from 0 to full scale in equal parts; bins divides
  /// counts.size().
  std::vector<uint64_t> binned(size_t bins) const;
};

/// Of one camera's frame, or of every `step`th pixel of every `step`th row: 1280x720 of grey take
/// some 0.5 ms with step 1. Any thread.
LuminanceHistogram luminanceHistogram(const gpu::ImageView& image, uint32_t step = 1);

/// What is drawn black, and what white: luminance, black < white.
struct DisplayRange {
  double black = 0, white = 255;
  bool operator==(const DisplayRange&) const = default;
};

/// The range in which nearly all pixels lie: `darkest` of them (a share) may be black, `brightest`
/// may be white. Markers are small: of the brightest, far fewer are cut off than of the darkest.
/// Widened evenly to `least` of full scale where the image is flatter.
DisplayRange fittedRange(const LuminanceHistogram& histogram, double darkest = 0.01,
                         double brightest = 0.0005, double least = 1.0 / 64);

}  // namespace glint::shell
