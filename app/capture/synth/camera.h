// Places the cameras of a scene.
#pragma once

#include <Eigen/Core>

#include "app/capture/synth/options.h"
#include "app/motion/geometry/camera.h"

namespace glint::capture {

/// Returns the place of a scene's point (metres, z up, the floor at z = 0) in the image, x and y in
/// px, and its depth in metres.
Eigen::Vector3d seenBy(const motion::RigCamera& camera, const Eigen::Vector3d& metres);

/// Returns camera `index` of `count` cameras that stand in a ring of 6 m around the capture volume,
/// alternately at heights of 1.6 and 2.2 m, and look at its centre. A figure there fills 0.77 of
/// the image's height.
motion::RigCamera ringCamera(int index, int count, FrameSize size);

/// Returns camera `index` of `count` cameras in a ring of 3.5 m around (0, 0, 1 m), alternately at
/// heights of 1.5 and 2.2 m; the focal length is 1000 px in an image that is 1280 px wide.
motion::RigCamera wandCamera(int index, int count, FrameSize size);

/// Returns camera `index` of `count` cameras on an arc of 60 degrees, 0.7 m before (0, 0, 1 m),
/// alternately at heights of 0.9 and 1.15 m; the focal length is 1000 px in an image that is 1280
/// px wide.
motion::RigCamera boardCamera(int index, int count, FrameSize size);

}  // namespace glint::capture
