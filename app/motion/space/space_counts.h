// What became of a run's points and bodies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glint::motion {

class PointTracker;
struct SpaceFrame;

struct SpaceCounts {
  bool any = false;  ///< there is a rig
  uint64_t rows = 0, measured = 0, refused = 0;
  uint64_t points = 0, stitches = 0;
  uint64_t rays = 0;           ///< of measured rows
  double spread = 0;           ///< s, the longest between cameras of one set
  std::vector<double> floors;  ///< px, a camera each; below 0: not learned
  double residual2 = 0;        ///< px^2, summed over measured rows
  double sigma2 = 0;           ///< mm^2, the same of the trace of their covariances
  uint64_t sets = 0;           ///< in which cameras saw anything
  struct BodyCount {
    uint64_t rows = 0, measured = 0, residuals = 0;
    double sigma2 = 0, turn2 = 0;  ///< mm^2, rad^2: summed over measured rows
    double residual2 = 0;          ///< mm^2, summed over rows that have one

    // Root mean squares; 0 of nothing.
    double sigma() const;     ///< mm
    double turn() const;      ///< degrees
    double residual() const;  ///< mm
  };
  std::map<std::string, BodyCount> bodies;  ///< all that were sought
  std::vector<std::string> corrections;     ///< of the rig: see PointTracker

  std::vector<std::string> doubts;  ///< of cameras: see PointTracker

  // Means over measured rows; 0 of none.
  double meanRays() const;
  double sigma() const;     ///< mm
  double residual() const;  ///< px

  /// Of a set, or of the end.
  void add(const SpaceFrame& frame);
  /// What a tracker knows of its pass.
  void take(const PointTracker& tracker);
};

/// "12 points in 3456 rows, ...", without an end.
std::string spaceText(const SpaceCounts& counts);
/// A line for the file of the corrected rig; or empty where nothing was corrected or kept.
std::string correctedSummary(const SpaceCounts& counts, const std::string& file);
/// A line for each camera in doubt, or what to check where there is no point at all; or empty.
std::string doubtsSummary(const SpaceCounts& counts);
/// A line for each body that was sought; or empty.
std::string bodiesSummary(const SpaceCounts& counts);

}  // namespace glint::motion
