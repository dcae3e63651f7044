// What becomes of a set: points in space.
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

/// Flags of a row, to be summed.
enum SpaceFlags : unsigned {
  kFloorUnknown = 1,  ///< the covariance has the floor of 0.6 px, not a learned one
  kTimesApart = 2,    ///< its cameras' times are more than 0.1 ms apart
  kRigUnknown = 4,    ///< the rig has no covariance
};

/// A point in a set.
struct SpaceRow {
  uint64_t frame = 0;
  double time = 0;     ///< s
  uint64_t point = 0;  ///< id, from 1
  /// measured: two rays or more, and the place is what they alone say.
  TrackState state = TrackState::measured;
  Eigen::Vector3d at{0, 0, 0}, velocity{0, 0, 0};              ///< mm, mm/s
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();        ///< of the place, mm^2
  uint64_t cameras = 0;                                        ///< that see it: bit N is camera N
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< px, rms; NaN without two rays
  unsigned flags = 0;
  std::string body = {}, label = {};  ///< whose marker it is; or empty

  int rays() const { return std::popcount(cameras); }
};

/// Dots that may have been a point, and why they are none.
struct RefusedRow {
  uint64_t frame = 0;
  double time = 0;
  GroupRefusal reason = GroupRefusal::unseen;
  Eigen::Vector3d at{0, 0, 0};
  uint64_t cameras = 0;
  double residual = 0;

  int rays() const { return std::popcount(cameras); }
};

/// Measured: three markers or more determine it, and it is what this set's rays alone say; partial:
/// fewer do, with the prediction; predicted: none is seen by two cameras.
enum class PoseState { measured, partial, predicted };
constexpr const char* nameOf(PoseState state) {
  return state == PoseState::measured ? "measured"
                                      : (state == PoseState::partial ? "partial" : "predicted");
}

/// Flags of a pose, to be summed.
enum PoseFlags : unsigned {
  kFitsAnotherPose = 1,  ///< the body fits onto itself: the attitude may be another one of these
};

/// A rigid body in a set.
struct PoseRow {
  uint64_t frame = 0;
  double time = 0;  ///< s
  std::string body;
  Eigen::Vector3d at{0, 0, 0};              ///< mm, of its origin
  Eigen::Quaterniond attitude{1, 0, 0, 0};  ///< from its axes to the world's
  Eigen::Matrix<double, 6, 6> covariance =
      Eigen::Matrix<double, 6,
                    6>::Zero();  ///< of the place, mm, and a small turn in the world, rad
  int markers = 0;               ///< that cameras see
  /// mm, rms distance of the markers' points from where the body has them; NaN without points.
  double residual = std::numeric_limits<double>::quiet_NaN();
  PoseState state = PoseState::measured;
  unsigned flags = 0;

  double sigma() const { return std::sqrt(covariance.topLeftCorner<3, 3>().trace()); }  ///< mm
  double sigmaAngle() const { return std::sqrt(covariance.bottomRightCorner<3, 3>().trace()); }
};

/// What becomes of one set.
struct SpaceFrame {
  std::optional<uint64_t> frame;    ///< the set, if cameras saw anything in it
  double time = 0;                  ///< s, of that, or of the poses
  std::vector<SpaceRow> now;        ///< every confirmed point in this set, by id
  std::vector<SpaceRow> finalised;  ///< rows that will not change any more, by frame and id
  std::vector<RefusedRow> refused;  ///< where they are kept
  /// Of this set, in the order of the bodies; foretold where cameras saw nothing in it.
  std::vector<PoseRow> poses;
  /// The rows that the set made final: its own, and before them those foretold for the sets without
  /// a dot between the last one and this. They depend on sets with dots alone.
  std::vector<PoseRow> finalPoses;
  std::vector<std::string> notes;        ///< what the user should know, a sentence each
  std::shared_ptr<const SpaceRig> rig;   ///< as it is after this set
  std::vector<std::string> corrections;  ///< of the rig so far: see PointTracker::corrections()
};

uint64_t camerasOf(const std::vector<Sight>& sights);

}  // namespace glint::motion
