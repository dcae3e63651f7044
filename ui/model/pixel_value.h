// What a pixel holds.
#pragma once

#include <array>
#include <cstdint>

#include "ui/model/shown_frame.h"

namespace glint::ui {

/// Its channels: one, or blue, green and red.
struct PixelValue {
  uint32_t channels = 1;
  std::array<uint32_t, 3> value = {};
  bool operator==(const PixelValue&) const = default;
};

/// Of a plane that only the device holds.
struct ProbedPixel {
  DisplayPlane plane = DisplayPlane::source;
  PixelValue value = {};
  bool operator==(const ProbedPixel&) const = default;
};

}  // namespace glint::ui
