// Divides an image into 8x8 fields to measure how much of it was covered.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <Eigen/Core>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

/// Number of fields along each side of an image.
constexpr int kImageFields = 8;

/// Returns the field, as one set bit, of the place `at` (px) in an image of this size. The bits run
/// row by row.
inline uint64_t fieldAt(const Eigen::Vector2d& at, const FrameExtent& size) {
  const auto part = [](double place, int side) {
    return std::clamp(static_cast<int>((place + 0.5) * kImageFields / side), 0, kImageFields - 1);
  };
  return uint64_t{1} << (part(at.y(), size.height) * kImageFields + part(at.x(), size.width));
}

/// Returns the share of the image that `fields` cover, 0 to 1.
inline double shareOf(uint64_t fields) {
  return std::popcount(fields) / static_cast<double>(kImageFields * kImageFields);
}

}  // namespace glint::motion
