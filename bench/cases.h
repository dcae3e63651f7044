// Lists the kinds of frames to be measured: sizes, cameras, markers and pixel formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/frame.h"

namespace glint::bench {

/// One kind of frame.
struct Case {
  gpu::FrameFormat format;
  uint32_t markers = 50;  ///< number of markers in every layer

  bool operator==(const Case&) const = default;
};

/// Values to combine with each other; an empty list stands for 1920x1080, 1 layer, 50 markers, 8
/// bits, grey.
struct Axes {
  std::vector<std::pair<uint32_t, uint32_t>> sizes;  ///< px
  std::vector<uint32_t> layers, markers, bits, channels;
};

/// Returns all combinations. Those that show the same image follow each other.
std::vector<Case> combine(const Axes& axes);

/// Returns 300 cases: all combinations of five sizes from 640x480 to 7680x4320, 1 to 16 layers, 1
/// to 1024 markers, grey and colour, 8 and 16 bits.
std::vector<Case> everyCase();

/// Returns cases that vary one thing at a time: the size and, at 1920x1080, the number of layers,
/// the number of markers, and the pixel format.
std::vector<Case> usualCases();

/// Returns a few small cases, for a quick look and for tests.
std::vector<Case> quickCases();

/// Returns a text such as "1920x1080 x16 grey 8 bit, 50 markers"; "x16" is left out for one layer.
std::string describe(const Case& what);

}  // namespace glint::bench
