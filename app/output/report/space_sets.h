// What a table of points in space says of each set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glint::output::report {

struct SpaceSetFigures {
  uint64_t frame = 0;
  double time = 0;  ///< s
  uint32_t measured = 0;
  double squares = 0;  ///< px^2, of the residuals of measured points

  double residual() const;  ///< px rms; 0 without measured points
};

struct SpaceTable {
  std::vector<SpaceSetFigures> sets;  ///< that have rows, in order
  uint64_t rows = 0;
};

/// Reads a points.csv. Throws Error naming file and line where it differs from docs/formats.md.
SpaceTable readSpaceTable(const std::string& path);

}  // namespace glint::output::report
