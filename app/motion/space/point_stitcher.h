// Gives a marker that reappears in space the id that it had.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "app/motion/space/point_options.h"

namespace glint::motion {

/// The place of a point in a set.
struct PointPlace {
  uint64_t id = 0;
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};  ///< mm, mm/s
};

/// A point that was confirmed in the present set.
struct NewPoint {
  PointPlace now;    ///< its id is not used
  double since = 0;  ///< s, the time of its first measurement
};

/// Does in space what Stitcher does in images. A new point takes over the id of one that ended at
/// most `maxGap` (s) before it began, if that is likelier, by a factor, than everything else
/// together: other ended points, other new points, and a marker that was not seen before. The place
/// of an ended point is predicted from the points around it. It is assumed that all kept their
/// velocities, or that they moved as a rigid body, whichever predicts them better.
class PointStitcher {
 public:
  /// `maxGap` (s); 0 joins nothing.
  explicit PointStitcher(double maxGap, const PointStitcherOptions& options = {})
      : maxGap_(maxGap), options_(options) {}
  void setMaxGap(double maxGap) { maxGap_ = maxGap; }

  /// Takes a point that is not measured any more. `others` are the points in the set of its last
  /// measurement, at the time `clock` (s).
  void remember(const PointPlace& last, double clock, std::vector<PointPlace> others);

  /// Returns the id that each of `found` takes over, or 0. `others` are the points with ids in this
  /// set, at the time `clock` (s).
  std::vector<uint64_t> join(std::span<const NewPoint> found, std::vector<PointPlace> others,
                             double clock);

  uint64_t stitches() const { return stitches_; }  ///< joins so far

 private:
  struct Ended {
    PointPlace last;
    double clock;
    std::vector<PointPlace> others;  // the nearest first
  };
  struct Place {
    Eigen::Vector3d at;
    double sigma;  // mm, along each axis
  };
  Place predict(const Ended& ended, std::span<const PointPlace> now, double span) const;
  double densityAround(const Eigen::Vector3d& at, std::span<const PointPlace> others) const;
  bool joinClear(std::span<const NewPoint> found, std::vector<uint64_t>& ids,
                 std::vector<PointPlace>& others, double clock);

  double maxGap_;  // s
  PointStitcherOptions options_;
  std::deque<Ended> ended_;
  uint64_t stitches_ = 0;
};

}  // namespace glint::motion
