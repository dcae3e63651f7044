// One marker that is followed through space.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/point_filter.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/space_row.h"

namespace glint::motion {

/// The rays that a track took in a set, and their point.
struct TakenRays {
  std::vector<Sight> sights;
  Estimate estimate;  ///< needs two sights
  StatedCovariance stated;
  unsigned flags = 0;
};

/// A track of one point, confirmed or not.
class PointTrack {
 public:
  /// Begins with a point. `jerk` (mm^2/s^5) is that of other tracks.
  PointTrack(const TakenRays& first, uint64_t frame, double time, double jerk,
             const PointMotionOptions& options);

  /// Predicts the state of the next set, `dt` (s) later.
  void predict(double dt);
  /// See PointFilter::disturb().
  void disturb(double dt, double acceleration) { filter_.disturb(dt, acceleration); }
  /// Takes a measurement. The row of the set is the place where the rays meet, not the filter's.
  void measure(const TakenRays& taken, uint64_t frame, double time);
  /// Corrects the prediction by a single ray, which says nothing along it.
  void correct(const SpaceRig& rig, const Sight& sight);
  /// Takes note that the point was not measured in this set. Its row is the prediction.
  void miss(uint64_t frame, double time, uint64_t cameras, unsigned flags);

  /// Returns true once the motion is known, so that the track can claim single dots.
  bool established() const { return measured_ >= knownSets_; }
  int measured() const { return measured_; }            ///< sets in which it was measured
  uint64_t lastMeasured() const { return lastFrame_; }  ///< the frame of the last one
  bool isMeasured() const { return missed_.empty(); }   ///< in the newest set
  double jerk() const;                                  ///< mm^2/s^5, as learnt so far
  const PointFilter& filter() const { return filter_; }
  const SpaceRow& last() const { return last_; }  ///< the newest row that was measured

  /// Gives an id to the track and its rows.
  void confirm(uint64_t id);
  /// Returns the rows that do not change any more, except for their id before the confirmation.
  std::vector<SpaceRow> takeRows() { return std::exchange(rows_, {}); }
  /// Returns the first frame whose row is not final, or `otherwise`.
  uint64_t firstOpen(uint64_t otherwise) const;
  /// Returns the row of the newest set.
  SpaceRow newest() const { return missed_.empty() ? last_ : missed_.back(); }

  /// Sets the body and the marker that the point is in the newest set.
  void label(const std::string& body, const std::string& marker);

  uint64_t id() const { return id_; }  ///< 0: not confirmed yet
  double since = 0;                    ///< s, the clock of its first measurement
  double seenAt = 0;                   ///< s, the clock of its newest measurement
  /// The rig's share of the covariance, and the place and the cameras that it was calculated for.
  Eigen::Matrix3d rigShare = Eigen::Matrix3d::Zero();
  Eigen::Vector3d rigAt{0, 0, 0};
  uint64_t rigCameras = 0;
  /// Its rays in the newest set and, if it was measured, the covariance from the images alone.
  std::vector<Sight> rays;
  Eigen::Matrix3d byImages = Eigen::Matrix3d::Zero();

 private:
  void bridge(const SpaceRow& to);

  uint64_t id_ = 0;
  PointFilter filter_;
  LearnedJerk jerk_;
  int knownSets_;
  int measured_ = 0;
  uint64_t lastFrame_ = 0;
  SpaceRow last_;
  std::vector<SpaceRow> rows_;    // not taken yet
  std::vector<SpaceRow> missed_;  // predicted since the last measurement
};

}  // namespace glint::motion
