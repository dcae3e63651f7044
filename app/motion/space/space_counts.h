// Counts of a run about its points and bodies, and their summary in words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glint::motion {

class PointTracker;
struct SpaceFrame;

/// Totals about points and bodies in space.
struct SpaceCounts {
  /// True if there is a rig.
  bool any = false;
  uint64_t rows = 0, measured = 0, refused = 0;
  uint64_t points = 0, stitches = 0;
  /// Rays of all measured rows together.
  uint64_t rays = 0;
  /// Longest time between the cameras of one set, s.
  double spread = 0;
  /// Noise floor of each camera, px; below 0 if it was not learned.
  std::vector<double> floors;
  /// Sum of squared residuals over the measured rows, px^2.
  double residual2 = 0;
  /// Sum of the traces of the covariances over the measured rows, mm^2.
  double sigma2 = 0;
  /// Sets in which cameras saw anything.
  uint64_t sets = 0;
  struct BodyCount {
    uint64_t rows = 0, measured = 0, residuals = 0;
    /// Sums of squared standard deviations over the measured rows: of the position (mm^2) and of
    /// the attitude (rad^2).
    double sigma2 = 0, turn2 = 0;
    /// Sum of squared residuals over the rows that have one, mm^2.
    double residual2 = 0;

    // These return root mean squares, or 0 if there are no values.
    double sigma() const;     ///< mm
    double turn() const;      ///< degrees
    double residual() const;  ///< mm
  };
  std::map<std::string, BodyCount> bodies;  ///< all that were sought
  std::vector<std::string> corrections;     ///< of the rig: see PointTracker
  int confirm = 0;  ///< track.confirm, if there were so few sets that points needed fewer

  /// Doubts about cameras: see PointTracker.
  std::vector<std::string> doubts;

  // These return means over the measured rows, or 0 if there are none.
  double meanRays() const;
  double sigma() const;     ///< mm
  double residual() const;  ///< px

  /// Adds what a set made final, or what the end of a pass did.
  void add(const SpaceFrame& frame);
  /// Adds the totals of a tracker at the end of its pass.
  void take(const PointTracker& tracker);
};

/// Returns a text such as "12 points, 3456 rows, ...", without a full stop.
std::string spaceText(const SpaceCounts& counts);
/// Returns a line that names the file of the corrected rig. Returns an empty text if nothing was
/// corrected or no file was written.
std::string correctedSummary(const SpaceCounts& counts, const std::string& file);
/// Returns a line for each camera in doubt, or a hint what to check if there is no point at all, or
/// an empty text.
std::string doubtsSummary(const SpaceCounts& counts);
/// Returns a line for each body that was searched for, or an empty text.
std::string bodiesSummary(const SpaceCounts& counts);

}  // namespace glint::motion
