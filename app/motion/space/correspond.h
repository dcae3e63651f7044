// Finds points in space from the dots of several cameras, without knowledge of earlier sets.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/motion/space/dot_index.h"
#include "app/motion/space/estimate.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/ray_pairs.h"

namespace glint::motion {

/// Dots of different cameras whose rays meet in a point.
struct RayGroup {
  /// One sight for each camera, sorted by camera.
  std::vector<Sight> sights;
  Estimate estimate;
  /// Number of cameras that should see the point but have no dot near its place.
  size_t unseen = 0;
};

/// Reason why a group of rays that meet is not accepted as a point.
enum class GroupRefusal {
  /// The group has two rays, and one of them may as well belong to another ray.
  ambiguous,
  /// Too many cameras that should see the point do not.
  unseen,
  /// The marker already has a point with other rays.
  same,
  /// The track of the point lasted so few sets that it may be a coincidence.
  unconfirmed
};
std::string_view nameOf(GroupRefusal reason);

/// A group of rays that meet but were not accepted as a point.
struct RefusedGroup {
  RayGroup group;
  GroupRefusal reason;
};

/// Finds points among the unused dots, and marks their dots as used. Returns the best points first.
/// If `refused` is not null, groups of rays that meet but are no points are added to it.
///
/// Each pair of rays that meet is a guess, to which the dots that other cameras see near this place
/// are added. The resulting groups are accepted in the order of their number of rays, and then of
/// chi squared, with each dot in one group only. A group needs three rays, or two rays that have no
/// other candidates. It is refused if cameras that should see the point do not, and if a
/// coincidence explains the rays better than a point. That is decided by Bayes' rule from the
/// number of dots, their gates, and CorrespondOptions::seenRate.
std::vector<RayGroup> correspond(const SpaceRig& rig, DotIndex& dots,
                                 const CorrespondOptions& options,
                                 std::vector<RefusedGroup>* refused = nullptr);

/// Returns true if a group and another point with the rays `sights` may be the same marker, divided
/// among the cameras. They must share hardly any camera, and be as near to each other as their
/// covariances allow.
bool maySame(const RayGroup& group, std::span<const Sight> sights, const Eigen::Vector3d& at,
             const Eigen::Matrix3d& covariance, const CorrespondOptions& options);

/// Drops rays that do not fit, the worst first, until the others fit. Returns false if fewer than
/// two remain. `estimate` must be that of the sights, and is updated.
bool keepFitting(const SpaceRig& rig, std::vector<Sight>& sights, Estimate& estimate,
                 const CorrespondOptions& options);

}  // namespace glint::motion
