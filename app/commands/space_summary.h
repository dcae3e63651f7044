// What is said of points in space at the end of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/space/point_tracker.h"

namespace glint {

struct SpaceCounts {
  uint64_t rows = 0, measured = 0, refused = 0;
  uint64_t points = 0, stitches = 0;
  double spread = 0;           ///< s, the longest between cameras of one set
  std::vector<double> floors;  ///< px, a camera each; below 0: not learned
  double residual2 = 0;        ///< px^2, summed over measured rows

  void add(const SpaceFrame& frame);
  void take(const PointTracker& tracker);
};

/// "12 points in 3456 rows, ..."
std::string spaceText(const SpaceCounts& counts);

}  // namespace glint
