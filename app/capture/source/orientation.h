// How pictures have to be turned to be looked at.
#pragma once

#include <cstdint>
#include <string>

#include <opencv2/core.hpp>

#include "gpu/frame.h"

namespace glint::capture {

/// The operation on the stored rows that makes the picture stand upright. The values are those
/// of the tag Orientation of TIFF 6.0 and of Exif.
enum class Orientation : uint8_t {
  upright = 1,
  mirrored = 2,      ///< left and right exchanged
  half = 3,          ///< turned by 180 degrees
  flipped = 4,       ///< top and bottom exchanged
  transposed = 5,    ///< rows and columns exchanged
  clockwise = 6,     ///< turned by 90 degrees clockwise
  transversed = 7,   ///< mirrored, then turned by 90 degrees clockwise
  anticlockwise = 8  ///< turned by 90 degrees against the clock
};

/// `degrees`: 0, 90, 180 or 270, clockwise.
Orientation orientationOf(int degrees);

/// "turned by 90 degrees clockwise"; empty where the picture is upright.
std::string wordsOf(Orientation orientation);

/// Returns true if width and height change places.
bool swapsSides(Orientation orientation);

/// Returns the format that pictures have when they stand upright.
gpu::ImageFormat turned(gpu::ImageFormat format, Orientation orientation);

/// Writes `from`, turned, into `to`, which is made where it has another size or type.
void turn(const cv::Mat& from, Orientation orientation, cv::Mat& to);

}  // namespace glint::capture
