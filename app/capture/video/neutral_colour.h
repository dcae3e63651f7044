// Converts frames in YUV that have no colour, as cameras for infrared light give them. Internal to
// capture/.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/capture/video/libav.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Converts frames whose chroma is neutral everywhere to blue, green and red, with the same bits as
/// libswscale and several times faster: by a table that libswscale has made.
class NeutralColour {
 public:
  using MakeScaler = std::function<libav::Scaler(int width, int height)>;

  /// Makes an object that converts no frame.
  NeutralColour() = default;

  /// Makes the table for frames like `like`. `scaler`: makes a scaler that converts such pixels to
  /// BGR24. The object converts no frame unless they are YUV of 8 bits with a plane of luma, and
  /// the scaler gives one grey for each luma, at every place of the image.
  NeutralColour(const AVFrame& like, const MakeScaler& scaler);

  /// Returns false if `frame`, which must be like the constructor's, has colour. Otherwise writes
  /// it into `image`, BGR of 8 bits, and returns true: into its `grey` if it has one, otherwise
  /// into all three channels.
  bool convert(const AVFrame& frame, const gpu::ImageView& image);

 private:
  bool isNeutral(const AVFrame& frame) const;

  std::vector<uint8_t> levels_;    ///< grey for each luma; empty: no frame can be converted
  bool sameLevels_ = false;        ///< true if grey equals luma, because the range is full
  std::vector<uint8_t> noColour_;  ///< a row of neutral chroma
  std::vector<uint8_t> band_;      ///< scratch: some rows while they are converted
};

}  // namespace glint::capture
