// Gives a marker that reappears in space the id that it had before.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "app/motion/space/point_options.h"

namespace glint::motion {

/// The position of a point in a set.
struct PointPlace {
  uint64_t id = 0;
  /// Position (mm) and velocity (mm/s).
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};
};

/// A point that is confirmed in the newest set.
struct NewPoint {
  /// The position of the point now. The id in it is not used.
  PointPlace now;
  /// Time of its first measurement, s.
  double since = 0;
};

/// Does in space what Stitcher does in images. A new point takes over the id of one that ended at
/// most `maxGap` (s) before it began, if that is more likely than everything else together, by a
/// factor. The alternatives are other ended points, other new points, and a marker that was not
/// seen before. The present position of an ended point is predicted from the points around it.
/// Either all of them kept their velocities, or they moved as a rigid body; the assumption that
/// predicts them better is used.
class PointStitcher {
 public:
  /// `maxGap` is in s; 0 joins nothing.
  explicit PointStitcher(double maxGap, const PointStitcherOptions& options = {})
      : maxGap_(maxGap), options_(options) {}
  void setMaxGap(double maxGap) { maxGap_ = maxGap; }

  /// Stores a point that has ended. `others` are the points in the set of its last measurement, at
  /// the time `clock` (s).
  void remember(const PointPlace& last, double clock, std::vector<PointPlace> others);

  /// Forgets an ended point, because it has not ended.
  void forget(uint64_t id);

  /// Returns the id that each of `found` takes over, or 0. `others` are the points with ids in this
  /// set, at the time `clock` (s).
  std::vector<uint64_t> join(std::span<const NewPoint> found, std::vector<PointPlace> others,
                             double clock);

  /// Returns the number of joins so far.
  uint64_t stitches() const { return stitches_; }

 private:
  struct Ended {
    PointPlace last;
    double clock;
    // Sorted by distance, the nearest first.
    std::vector<PointPlace> others;
  };
  struct Place {
    Eigen::Vector3d at;
    // Standard deviation along each axis, mm.
    double sigma;
  };
  Place predict(const Ended& ended, std::span<const PointPlace> now, double span) const;
  double densityAround(const Eigen::Vector3d& at, std::span<const PointPlace> others) const;
  bool joinClear(std::span<const NewPoint> found, std::vector<uint64_t>& ids,
                 std::vector<PointPlace>& others, double clock);

  // Maximum gap, s.
  double maxGap_;
  PointStitcherOptions options_;
  std::deque<Ended> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint::motion
