// Defines the body of the dancing figure: its segments, the capsules that fill them, and the
// markers that they carry.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Geometry>

namespace glint::capture {

/// The rigid parts of the figure. In the frame of each part x points forward, y to the figure's
/// left and z up while the figure stands with hanging arms; the origin is the joint to the part
/// before it (pelvis: between the hips; foot: the ankle).
// There is one line for the trunk, one for the arms and one for the legs.
// clang-format off
enum Segment : size_t {
  pelvis, chest, head,
  leftUpperArm, leftForearm, leftHand, rightUpperArm, rightForearm, rightHand,
  leftThigh, leftShin, leftFoot, rightThigh, rightShin, rightFoot,
  segmentCount
};
// clang-format on

/// The pose of each segment: from its own frame to the world, metres.
using Skeleton = std::array<Eigen::Isometry3d, segmentCount>;

/// All points within `radius` of the line from a to b; metres.
struct Capsule {
  Segment segment;
  Eigen::Vector3d a, b;
  double radius;
};

/// A ball that stands on the surface of a segment; metres.
struct BodyMarker {
  Segment segment;
  Eigen::Vector3d position;  ///< centre of the ball
  Eigen::Vector3d normal;    ///< unit vector out of the segment
};

/// The joints, in the frame of the segment before them; metres. Left is y > 0.
namespace joints {
constexpr double kWaist = 0.20;                                  ///< z of the chest in the pelvis
constexpr double kNeck = 0.29;                                   ///< z of the head in the chest
constexpr double kShoulderSide = 0.185, kShoulderHeight = 0.24;  ///< in the chest
constexpr double kUpperArm = 0.29, kForearm = 0.26;              ///< lengths
constexpr double kHipSide = 0.09;                                ///< in the pelvis
constexpr double kThigh = 0.43, kShin = 0.42;                    ///< lengths
constexpr double kAnkleHeight = 0.08;                            ///< above the sole
}  // namespace joints

/// Returns the capsules of the body in the world.
std::vector<Capsule> placeCapsules(const Skeleton& skeleton);

/// Returns the markers in the world, in the order of their ids, for balls of `diameter` metres.
std::vector<BodyMarker> placeMarkers(const Skeleton& skeleton, double diameter);

/// Returns true if `marker` cannot be seen from `eye`: its side of the segment faces away by more
/// than 130 degrees, or the line of sight to its centre meets a capsule.
bool isHidden(const BodyMarker& marker, const std::vector<Capsule>& capsules,
              const Eigen::Vector3d& eye);

}  // namespace glint::capture
