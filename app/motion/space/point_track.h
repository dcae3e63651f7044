// A track: one marker that is followed through space.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/point_filter.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/space_row.h"

namespace glint::motion {

/// The rays that a track takes in a set, and the point where they meet.
struct TakenRays {
  std::vector<Sight> sights;
  /// The point. Only valid with at least two sights.
  Estimate estimate;
  StatedCovariance stated;
  unsigned flags = 0;
};

/// The track of one point, confirmed or not.
class PointTrack {
 public:
  /// Begins with a point. `speed` (mm/s) is the standard deviation of its velocity along each axis,
  /// and `jerk` (mm^2/s^5) that of other tracks.
  PointTrack(const TakenRays& first, uint64_t frame, double time, double speed, double jerk,
             const PointMotionOptions& options);

  /// Predicts the state for the next set, `dt` (s) later.
  void predict(double dt);
  /// Calls PointFilter::disturb().
  void disturb(double dt, double acceleration) { filter_.disturb(dt, acceleration); }
  /// Makes its velocity as unknown as `speed` (mm/s along each axis), before a measurement that
  /// shows this: since its only measurement, or by an impact after the last one, `span` (s) ago.
  void release(double speed, double span);
  /// Takes a measurement. The row of the set is the place where the rays meet, not the filter's.
  void measure(const TakenRays& taken, uint64_t frame, double time);
  /// Corrects the prediction by a single ray, which gives no information along its direction.
  void correct(const SpaceRig& rig, const Sight& sight);
  /// Notes that the point was not measured in this set. Its row is the prediction.
  void miss(uint64_t frame, double time, uint64_t cameras, unsigned flags);

  /// Returns true once the motion is known, so that the track may claim single dots.
  bool established() const { return measured_ >= knownSets_; }
  /// Returns the number of sets in which the point was measured.
  int measured() const { return measured_; }
  /// Returns the frame of the last measurement.
  uint64_t lastMeasured() const { return lastFrame_; }
  /// Returns true if the point was measured in the newest set.
  bool isMeasured() const { return missed_.empty(); }
  /// Returns the learned power of the jerk, mm^2/s^5.
  double jerk() const;
  const PointFilter& filter() const { return filter_; }
  /// Returns the newest row that was measured.
  const SpaceRow& last() const { return last_; }

  /// Gives an id to the track and to its rows.
  void confirm(uint64_t id);
  /// Returns the rows that do not change any more, each once. Before the track is confirmed, only
  /// their id may still change.
  std::vector<SpaceRow> takeRows() { return std::exchange(rows_, {}); }
  /// Returns the first frame whose row is not final, or `otherwise` if all are.
  uint64_t firstOpen(uint64_t otherwise) const;
  /// Returns the row of the newest set.
  SpaceRow newest() const { return missed_.empty() ? last_ : missed_.back(); }

  /// Notes in the row of the newest set which marker of which body the point is.
  void label(const std::string& body, const std::string& marker);

  /// Returns 0 if the track is not confirmed yet.
  uint64_t id() const { return id_; }
  /// Time of its first measurement, s.
  double since = 0;
  /// Time of its newest measurement, s.
  double seenAt = 0;
  /// The rig's part of the covariance (mm^2), and the position and the cameras for which it was
  /// calculated.
  Eigen::Matrix3d rigShare = Eigen::Matrix3d::Zero();
  Eigen::Vector3d rigAt{0, 0, 0};
  uint64_t rigCameras = 0;
  /// Rays in the newest set, and, if the point was measured, its covariance from the images alone
  /// (mm^2).
  std::vector<Sight> rays;
  Eigen::Matrix3d byImages = Eigen::Matrix3d::Zero();

 private:
  void bridge(const SpaceRow& to);

  uint64_t id_ = 0;
  PointFilter filter_;
  LearnedJerk jerk_;
  int knownSets_;
  int measured_ = 0;
  bool released_ = false;  // since the last measurement
  uint64_t lastFrame_ = 0;
  SpaceRow last_;
  // Rows that were not returned yet.
  std::vector<SpaceRow> rows_;
  // Predicted rows since the last measurement.
  std::vector<SpaceRow> missed_;
};

}  // namespace glint::motion
