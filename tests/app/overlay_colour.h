// Measures how much is drawn in a picture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/app/pictures.h"

namespace glint {

/// Returns how colourful the pixels within `reach` px of a point are: the mean of their largest
/// minus their smallest channel.
inline double colorNear(const Picture& picture, double x, double y, int reach) {
  double sum = 0;
  int count = 0;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const auto px = static_cast<uint32_t>(std::lround(x) + dx);
      const auto py = static_cast<uint32_t>(std::lround(y) + dy);
      if (px >= picture.format.width || py >= picture.format.height) continue;
      const std::array<int, 3> c{picture.value(px, py, 0), picture.value(px, py, 1),
                                 picture.value(px, py, 2)};
      sum += *std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end());
      ++count;
    }
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace glint
