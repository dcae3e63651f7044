// What is measured: sizes, cameras, markers and pixel formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/frame.h"

namespace glint::bench {

/// One kind of frame.
struct Case {
  gpu::FrameFormat format;
  uint32_t markers = 50;  ///< in every layer

  bool operator==(const Case&) const = default;
};

/// Values to combine with each other; an empty list stands for 1920x1080, 1 layer, 50 markers, 8
/// bits, grey.
struct Axes {
  std::vector<std::pair<uint32_t, uint32_t>> sizes;  ///< px
  std::vector<uint32_t> layers, markers, bits, channels;
};

/// Every combination, those of one image after another.
std::vector<Case> combine(const Axes& axes);

/// 640x480 to 7680x4320, 1 to 16 layers, 1 to 1024 markers, grey and colour, 8 and 16 bits: 300.
std::vector<Case> everyCase();

/// All sizes; and at 1920x1080 all numbers of layers and of markers, colour and 16 bits.
std::vector<Case> usualCases();

/// A few small ones, for a look and for tests.
std::vector<Case> quickCases();

/// "1920x1080 x16 grey 8 bit, 50 markers", without the "x16" for one layer.
std::string describe(const Case& what);

}  // namespace glint::bench
