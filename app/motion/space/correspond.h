// Joins the dots of several cameras to points, by nothing but their places.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/motion/space/dot_index.h"
#include "app/motion/space/estimate.h"
#include "app/motion/space/point_options.h"
#include "app/motion/space/ray_pairs.h"

namespace glint::motion {

/// Dots of different cameras whose rays meet.
struct RayGroup {
  std::vector<Sight> sights;  ///< by camera
  Estimate estimate;
  size_t unseen = 0;  ///< cameras that should see the point, and have no dot near its place
};

/// The reason why rays that meet are no point.
enum class GroupRefusal {
  ambiguous,   ///< of two rays, one may as well belong to others
  unseen,      ///< too many other cameras should see it
  same,        ///< its marker already has a point of other rays
  unconfirmed  ///< its track lasted so few sets that it may be chance
};
std::string_view nameOf(GroupRefusal reason);

/// Rays that meet and are no point.
struct RefusedGroup {
  RayGroup group;
  GroupRefusal reason;
};

/// Makes points of the dots that are not used yet, and marks these as used. Returns the best points
/// first. If `refused` is not null, adds the groups of rays that meet and are no point.
///
/// Each pair of rays that meet is a guess, to which the dots that other cameras see there are
/// added. The groups that come out are taken by their number of rays and then by chi squared, each
/// dot once. Three rays make a point, and so do two if each is the other's only candidate. A group
/// is refused if other cameras should see the point, and do not, so that chance is likelier. That
/// follows by Bayes' rule from the number of dots, their gates and CorrespondOptions::seenRate.
std::vector<RayGroup> correspond(const SpaceRig& rig, DotIndex& dots,
                                 const CorrespondOptions& options,
                                 std::vector<RefusedGroup>* refused = nullptr);

/// Returns true if a group and another point, whose rays are `sights`, may be one marker that has
/// been divided among the cameras: they share hardly any camera, and are as near to each other as
/// their covariances allow.
bool maySame(const RayGroup& group, std::span<const Sight> sights, const Eigen::Vector3d& at,
             const Eigen::Matrix3d& covariance, const CorrespondOptions& options);

/// Drops the rays that do not fit, the worst ones first, until the rest fits. Returns false if
/// fewer than two are left. `estimate` must be that of the sights.
bool keepFitting(const SpaceRig& rig, std::vector<Sight>& sights, Estimate& estimate,
                 const CorrespondOptions& options);

}  // namespace glint::motion
