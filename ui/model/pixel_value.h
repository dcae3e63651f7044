// The value of a pixel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "ui/model/shown_frame.h"

namespace glint::ui {

/// The channels of a pixel: one, or blue, green and red.
struct PixelValue {
  uint32_t channels = 1;
  std::array<uint32_t, 3> value = {};
  bool operator==(const PixelValue&) const = default;
};

/// The value of a pixel in a plane that only the device holds.
struct ProbedPixel {
  DisplayPlane plane = DisplayPlane::source;
  PixelValue value = {};
  bool operator==(const ProbedPixel&) const = default;
};

/// The pixel under the cursor.
struct PointedPixel {
  std::string words = {};                    ///< the pixel's place and value; empty: there is none
  std::optional<DisplayPlane> probing = {};  ///< the plane whose value the picture shall read back
  std::optional<ProbedPixel> probed = {};    ///< the value that the previous picture read back
};

}  // namespace glint::ui
