// Two cameras whose lenses are known, from lights in a plane.
#pragma once

#include <vector>

#include "app/motion/calibrate/epipolar.h"
#include "app/motion/geometry/camera.h"

namespace glint::motion {

/// Where the second camera may stand, the first at the origin, that sees a plane as it does: up to
/// four places, of which two or one have the plane before both cameras (Faugeras and Lustman,
/// Motion and structure from motion in a piecewise planar environment, 1988; as in OpenCV). Its
/// distance is arbitrary. Of the sightings, those that no homography explains go; the ends of
/// others may change places. Empty where too few are left.
std::vector<Pose> posesByPlane(std::vector<PairSighting>& sightings, const Lens& first,
                               const Lens& second);

/// The other pose from which points in a plane look nearly the same: their depth along the view of
/// `middle` is mirrored. `normal` is that of the plane, of length 1, in the world as `middle` is.
Pose mirroredByPlane(const Pose& pose, const Eigen::Vector3d& middle,
                     const Eigen::Vector3d& normal);

}  // namespace glint::motion
