// Frames in YUV without a colour in them, as cameras for infrared light give. Internal to capture/.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/capture/video/libav.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Makes blue, green and red of frames whose chroma is neutral everywhere, several times faster
/// than libswscale and with the bits that it gives: by a table that it has made.
class NeutralColour {
 public:
  using MakeScaler = std::function<libav::Scaler(int width, int height)>;

  /// Knows none.
  NeutralColour() = default;

  /// For frames like this one. `scaler`: converts such pixels to BGR24. Where it does not give one
  /// grey for each luma, wherever it stands, and for all but YUV of 8 bits whose luma has a plane
  /// of its own, it knows none.
  NeutralColour(const AVFrame& like, const MakeScaler& scaler);

  /// Whether `frame`, like that one, has no colour and stands in the `grey` of `image`, BGR of 8
  /// bits, now, or in all three channels where it has none.
  bool convert(const AVFrame& frame, const gpu::ImageView& image);

 private:
  bool isNeutral(const AVFrame& frame) const;

  std::vector<uint8_t> levels_;    ///< by luma; empty: none is known
  bool sameLevels_ = false;        ///< the luma is the level: full range
  std::vector<uint8_t> noColour_;  ///< a row of chroma without colour
  std::vector<uint8_t> band_;      ///< rows on their way
};

}  // namespace glint::capture
