// The 8x8 fields of an image, by which is told how much of it was covered.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <Eigen/Core>

#include "app/motion/calibrate/recording.h"

namespace glint::motion {

constexpr int kImageFields = 8;  ///< along each side

/// Fields are bits, row by row. That of the place `at`, px, in an image of this size.
inline uint64_t fieldAt(const Eigen::Vector2d& at, const FrameExtent& size) {
  const auto part = [](double place, int side) {
    return std::clamp(static_cast<int>((place + 0.5) * kImageFields / side), 0, kImageFields - 1);
  };
  return uint64_t{1} << (part(at.y(), size.height) * kImageFields + part(at.x(), size.width));
}

/// The share that these fields are of the image.
inline double shareOf(uint64_t fields) {
  return std::popcount(fields) / static_cast<double>(kImageFields * kImageFields);
}

}  // namespace glint::motion
