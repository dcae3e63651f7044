// Initial guess of two cameras with known lenses from lights in a plane.
#pragma once

#include <vector>

#include "app/motion/calibrate/epipolar.h"
#include "app/motion/geometry/camera.h"

namespace glint::motion {

/// Returns poses of the second camera, with the first at the origin, that explain how both see a
/// plane. There are up to four, and one or two of them have the plane in front of both cameras
/// (Faugeras and Lustman, Motion and structure from motion in a piecewise planar environment, 1988;
/// as in OpenCV). The distance of the cameras is set to 1. Removes sightings that the homography
/// does not explain, and swaps the ends of others where that fits better. Returns none if too few
/// are left.
std::vector<Pose> posesByPlane(std::vector<PairSighting>& sightings, const Lens& first,
                               const Lens& second);

/// Returns the other pose from which points in a plane look nearly the same: the plane is mirrored
/// in depth along the view of `middle`. `middle` and `normal` (of length 1) describe the plane in
/// the world.
Pose mirroredByPlane(const Pose& pose, const Eigen::Vector3d& middle,
                     const Eigen::Vector3d& normal);

}  // namespace glint::motion
