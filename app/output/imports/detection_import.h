// Markers that another program has found in images.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/motion/track/observation.h"

namespace glint::output {

/// The markers of one camera in one frame.
struct ImportedMarkers {
  double time = 0;  ///< s
  std::vector<motion::Observation> seen;
};

/// All markers of a table. What it does not hold of a marker is 1 (mass) or 0.
struct ImportedDetections {
  std::vector<std::map<uint64_t, ImportedMarkers>> cameras;  ///< by frame, one map for each camera
  double rate = 0;                                           ///< Hz
  bool hasMass = false, hasRadius = false, hasEccentricity = false, hasSigma = false;
  uint64_t markers = 0;
  std::vector<std::string> remarks;  ///< what was assumed, a sentence each
};

/// Reads a table with the columns frame, x and y, and where they are there camera, time_s, sigma_x,
/// sigma_y, peak, mass, radius, eccentricity and flags. The names that trackpy and TrackMate give
/// such columns are understood; others are passed over. The labelled points that readPoses() reads
/// are markers, too, and their labels are not used. `sigma`: px, of x and y where the table
/// does not say it. `rate`: Hz, instead of what its times say; 0: none. Throws Error naming the
/// file and the line.
ImportedDetections importDetections(const std::string& path, std::optional<double> sigma,
                                    double rate);

}  // namespace glint::output
