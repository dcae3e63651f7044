// Matches a body with the points of a set, and finds its pose from them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/motion/space/body_doubts.h"
#include "app/motion/space/space_row.h"

namespace glint::motion {

/// A point of a set that may be a marker of a body.
struct BodyPoint {
  /// 0 if the point is not confirmed.
  uint64_t id = 0;
  /// True if the point has at least two rays.
  bool measured = false;
  Eigen::Vector3d at{0, 0, 0};  ///< mm
  /// Covariance from the images alone, mm^2.
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  /// The rays of the point in this set. Not owned.
  const std::vector<Sight>* sights = nullptr;
  /// The body and the marker that the point is, or -1. Set by BodyTracker.
  int body = -1, marker = -1;
};

/// A set, with the cameras and their noise. The references must outlive it.
struct BodySet {
  uint64_t frame = 0;
  /// Time of the set, and time since the previous set, s.
  double time = 0, step = 0;
  const SpaceRig& rig;
  const NoiseFloor& floor;
};

/// For each marker of a body the index of its point, or -1.
using MarkerPoints = std::vector<int>;

/// A body that was fitted to the rays of its markers.
struct BodyMatch {
  /// The body relative to the reference point of the fit.
  CentredBody about;
  MarkerPoints markers;
  BodyFit fit;
  std::vector<BodySight> sights;
  /// Number of markers with at least one ray.
  int seen = 0;
  /// Number of markers with at least two rays.
  int solid = 0;
  /// True if the rays alone determine the pose.
  bool whole = false;
};

/// Returns true if the points with two or more rays determine the pose of the body: three or more
/// that are not on one line.
bool determinePose(const CentredBody& body, const MarkerPoints& markers,
                   std::span<const BodyPoint> points);

/// Fits the pose to the rays of the markers. Drops markers that do not fit, the worst first; a
/// marker may be off by `maxMisfit` standard deviations. Unless `prior` is null, it is used if the
/// rays alone do not determine the pose. Returns nothing if the pose is not determined even so.
std::optional<BodyMatch> matchBody(const CentredBody& about, const BodySet& set,
                                   std::span<const BodyPoint> points, MarkerPoints markers,
                                   const BodyPlace& start, const BodyPlace* prior,
                                   double maxMisfit);

/// Returns a match at a predicted pose, with no marker that is seen.
BodyMatch unseenBody(const CentredBody& about, const BodyPlace& place);

/// Returns the row of a body. Its position is that of the origin of the body's axes.
PoseRow poseOf(const KnownBody& known, const BodySet& set, const BodyMatch& match,
               const BodyPlace* prior, std::span<const BodyPoint> points);

}  // namespace glint::motion
