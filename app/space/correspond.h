// Which dots of several cameras are one marker, by nothing but where they are.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/space/dot_index.h"
#include "app/space/estimate.h"
#include "app/space/ray_pairs.h"

namespace glint {

/// Dots of different cameras whose rays meet.
struct RayGroup {
  std::vector<Sight> sights;  ///< by camera
  Estimate estimate;
  size_t unseen = 0;  ///< cameras that should see it there, and have no dot near by
};

enum class GroupRefusal {
  ambiguous,   ///< two rays, of which one may as well meet others
  unseen,      ///< too many other cameras should see it
  same,        ///< a marker whose point has other rays already
  unconfirmed  ///< a track of so few sets that it may be chance
};
std::string_view nameOf(GroupRefusal reason);

struct RefusedGroup {
  RayGroup group;
  GroupRefusal reason;
};

struct CorrespondOptions {
  bool twoRays = true;  ///< whether points may have two rays
  /// How often a camera sees a marker that is in its image: what it does not see speaks against a
  /// point the more, the higher this is. 0 to 1.
  double seenRate = 0.7;
};

/// Points of dots that are not used yet, which become used. Each pair of rays that meet is taken as
/// a guess, what other cameras see there is added, and the groups that come out are taken by their
/// number of rays, then by chi squared, each dot once. Three rays make a point, and two where each
/// is the other's only candidate, unless what other cameras should see, and do not, makes chance
/// likelier: by Bayes' rule from the number of dots, their gates and `seenRate`. Best first.
std::vector<RayGroup> correspond(const SpaceRig& rig, const PairGeometry& geometry, DotIndex& dots,
                                 const CorrespondOptions& options,
                                 std::vector<RefusedGroup>* refused = nullptr);

/// Whether two groups may be one marker, of which each has other cameras' rays: at most one camera
/// in both, and as near as their covariances allow.
bool maySame(const RayGroup& group, std::span<const Sight> sights, const Eigen::Vector3d& at,
             const Eigen::Matrix3d& covariance);

/// Drops the rays that do not fit, worst first, until the rest does; false where fewer than two are
/// left. The estimate must be that of the sights.
bool keepFitting(const SpaceRig& rig, std::vector<Sight>& sights, Estimate& estimate);

}  // namespace glint
