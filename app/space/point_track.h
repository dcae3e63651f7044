// One marker followed through space.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/space/point_filter.h"
#include "app/space/space_row.h"

namespace glint {

/// What a track took in a set.
struct TakenRays {
  std::vector<Sight> sights;
  Estimate estimate;  ///< needs two sights
  StatedCovariance stated;
  unsigned flags = 0;
};

class PointTrack {
 public:
  /// Begins with a point; `speed` mm/s and `jerk` mm^2/s^5 as other tracks have it.
  PointTrack(const TakenRays& first, uint64_t frame, double time, double speed, double jerk);

  void predict(double dt);
  /// See PointFilter::disturb().
  void disturb(double dt, double acceleration) { filter_.disturb(dt, acceleration); }
  /// It was measured, so the set's row is the rays' own place.
  void measure(const TakenRays& taken, uint64_t frame, double time);
  /// One ray alone: the prediction is corrected across it.
  void correct(const SpaceRig& rig, const Sight& sight);
  /// Not measured in this set: its row is the prediction.
  void miss(uint64_t frame, double time, uint64_t cameras, unsigned flags);

  /// With what its motion is known, so that dots can be claimed by it.
  bool established() const { return measured_ >= 3; }
  int measured() const { return measured_; }  ///< sets
  uint64_t lastMeasured() const { return lastFrame_; }
  bool isMeasured() const { return missed_.empty(); }  ///< in the newest set
  double jerk() const;
  const PointFilter& filter() const { return filter_; }
  const SpaceRow& last() const { return last_; }  ///< the newest row that was measured

  /// Earns its id, which its rows get, too.
  void confirm(uint64_t id);
  /// The rows that do not change any more, but for their id before it is confirmed.
  std::vector<SpaceRow> takeRows() { return std::exchange(rows_, {}); }
  /// The first frame of which a row is not final, or `otherwise`.
  uint64_t firstOpen(uint64_t otherwise) const;
  /// The row of the newest set.
  SpaceRow newest() const { return missed_.empty() ? last_ : missed_.back(); }

  /// Whose marker it is in the newest set.
  void label(const std::string& body, const std::string& marker);

  uint64_t id() const { return id_; }  ///< 0: not confirmed yet
  double since = 0;                    ///< s, the clock of its first measurement
  double seenAt = 0;                   ///< s, the clock of its newest measurement
  /// The rig's share of the covariance, and where and of which cameras it was computed.
  Eigen::Matrix3d rigShare = Eigen::Matrix3d::Zero();
  Eigen::Vector3d rigAt{0, 0, 0};
  uint64_t rigCameras = 0;
  /// In the newest set: its rays, and where it was measured the covariance by the images alone.
  std::vector<Sight> rays;
  Eigen::Matrix3d byImages = Eigen::Matrix3d::Zero();

 private:
  void bridge(const SpaceRow& to);

  uint64_t id_ = 0;
  PointFilter filter_;
  LearnedJerk jerk_;
  int measured_ = 0;
  uint64_t lastFrame_ = 0;
  SpaceRow last_;
  std::vector<SpaceRow> rows_, missed_;
};

}  // namespace glint
