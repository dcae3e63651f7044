// The results of a set: points in space and poses of bodies.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "app/motion/space/correspond.h"
#include "app/motion/track/observation.h"

namespace glint::motion {

class SpaceRig;

/// Flags of a row of points. They are summed.
enum SpaceFlags : unsigned {
  /// The covariance contains the initial noise floor of 0.6 px, because none has been learned.
  kFloorUnknown = 1,
  /// The times of the cameras are more than 0.1 ms apart.
  kTimesApart = 2,
  /// The rig has no covariance.
  kRigUnknown = 4,
};

/// A point in a set.
struct SpaceRow {
  uint64_t frame = 0;
  /// Time of the set, s.
  double time = 0;
  /// Id, from 1.
  uint64_t point = 0;
  /// In the state `measured` there are at least two rays, and the position follows from them alone.
  TrackState state = TrackState::measured;
  /// Position, mm, and velocity, mm/s.
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};
  /// Covariance of the position, mm^2.
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  /// The cameras that see the point. Bit N is camera N.
  uint64_t cameras = 0;
  /// Rms residual, px. NaN with fewer than two rays.
  double residual = std::numeric_limits<double>::quiet_NaN();
  unsigned flags = 0;
  /// Body and marker that the point is, or empty.
  std::string body = {}, label = {};

  int rays() const { return std::popcount(cameras); }
};

/// A group of rays that was not accepted as a point, and the reason. Units are those of SpaceRow.
struct RefusedRow {
  uint64_t frame = 0;
  double time = 0;
  GroupRefusal reason = GroupRefusal::unseen;
  Eigen::Vector3d at{0, 0, 0};
  uint64_t cameras = 0;
  double residual = 0;

  int rays() const { return std::popcount(cameras); }
};

/// State of a pose. `measured`: at least three markers determine it, and it follows from the rays
/// of this set alone. `partial`: fewer markers and the prediction determine it. `predicted`: no
/// marker is seen by two cameras.
enum class PoseState { measured, partial, predicted };
constexpr const char* nameOf(PoseState state) {
  return state == PoseState::measured ? "measured"
                                      : (state == PoseState::partial ? "partial" : "predicted");
}

/// Flags of a pose. They are summed.
enum PoseFlags : unsigned {
  /// The body fits onto itself in another attitude, so the attitude may be wrong.
  kFitsAnotherPose = 1,
};

/// The pose of a rigid body in a set.
struct PoseRow {
  uint64_t frame = 0;
  /// Time of the set, s.
  double time = 0;
  std::string body;
  /// Position of the origin of the body's axes, mm.
  Eigen::Vector3d at{0, 0, 0};
  /// Rotation from the body's axes to the world's.
  Eigen::Quaterniond attitude{1, 0, 0, 0};
  /// Covariance of the position (mm) and of a small rotation in the world (rad).
  Eigen::Matrix<double, 6, 6> covariance = Eigen::Matrix<double, 6, 6>::Zero();
  /// Number of markers that cameras see.
  int markers = 0;
  /// Rms distance of the points from the expected places of their markers, mm. NaN without points.
  double residual = std::numeric_limits<double>::quiet_NaN();
  PoseState state = PoseState::measured;
  unsigned flags = 0;

  /// Returns the standard deviation of the position, mm.
  double sigma() const { return std::sqrt(covariance.topLeftCorner<3, 3>().trace()); }
  double sigmaAngle() const { return std::sqrt(covariance.bottomRightCorner<3, 3>().trace()); }
};

/// The results of one set.
struct SpaceFrame {
  /// Frame number of the set, if cameras saw anything in it.
  std::optional<uint64_t> frame;
  /// Time of the set, or of the poses if the cameras saw nothing, s.
  double time = 0;
  /// Every confirmed point in this set, sorted by id.
  std::vector<SpaceRow> now;
  /// Rows that will not change any more, sorted by frame and id.
  std::vector<SpaceRow> finalised;
  /// The first set of which rows or poses may still become final. Those of earlier sets were handed
  /// out in this set or before.
  uint64_t firstOpen = 0;
  /// Refused groups of rays, if they are kept.
  std::vector<RefusedRow> refused;
  /// Poses in this set, in the order of the bodies. They are predictions if cameras saw nothing.
  std::vector<PoseRow> poses;
  /// Poses that are final since this set: its own, and before them the predicted ones of the sets
  /// without a dot since the previous set with dots. They depend on sets with dots only.
  std::vector<PoseRow> finalPoses;
  /// Facts that the user should know, a sentence each.
  std::vector<std::string> notes;
  /// The rig after this set.
  std::shared_ptr<const SpaceRig> rig;
  /// Corrections of the rig so far: see PointTracker::corrections().
  std::vector<std::string> corrections;
};

/// Returns the set of cameras of the sights. Bit N is camera N.
uint64_t camerasOf(const std::vector<Sight>& sights);

}  // namespace glint::motion
