// A body in a set: which points are its markers, and where that puts it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/body_doubts.h"
#include "app/motion/space/space_row.h"

namespace glint::motion {

/// A point of a set that may be a marker of a body.
struct BodyPoint {
  uint64_t id = 0;                                       ///< 0: not confirmed
  bool measured = false;                                 ///< two rays or more
  Eigen::Vector3d at{0, 0, 0};                           ///< mm
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< by images, mm^2
  const std::vector<Sight>* sights = nullptr;            ///< its rays in this set
  int body = -1, marker = -1;                            ///< set by BodyTracker if it is a marker
};

/// A set, the cameras and their noise.
struct BodySet {
  uint64_t frame = 0;
  double time = 0, step = 0;  ///< s; `step`: since the set before
  const SpaceRig& rig;
  const NoiseFloor& floor;
};

/// The point of each marker of a body, or -1.
using MarkerPoints = std::vector<int>;

/// A body that was fitted to the rays of its markers.
struct BodyMatch {
  CentredBody about;  ///< the body, relative to the point that the fit is about
  MarkerPoints markers;
  BodyFit fit;
  std::vector<BodySight> sights;
  int seen = 0;        ///< markers with a ray
  int solid = 0;       ///< markers with two rays
  bool whole = false;  ///< true if the rays alone determine it
};

/// Returns true if the points that two cameras see determine the pose: three or more that are not
/// on one line.
bool determinePose(const CentredBody& body, const MarkerPoints& markers,
                   std::span<const BodyPoint> points);

/// Fits the pose to the rays of the markers, and drops those that do not fit, the worst ones first.
/// A marker may be off by `maxMisfit` standard deviations. Returns nothing if the rest does not
/// determine the pose, together with `prior` unless it is null.
std::optional<BodyMatch> matchBody(const CentredBody& about, const BodySet& set,
                                   std::span<const BodyPoint> points, MarkerPoints markers,
                                   const BodyPlace& start, const BodyPlace* prior,
                                   double maxMisfit);

/// Returns a body at a predicted place, without any marker that is seen.
BodyMatch unseenBody(const CentredBody& about, const BodyPlace& place);

/// Returns the row of a body. Its place is that of the origin of its axes.
PoseRow poseOf(const KnownBody& known, const BodySet& set, const BodyMatch& match,
               const BodyPlace* prior, std::span<const BodyPoint> points);

}  // namespace glint::motion
