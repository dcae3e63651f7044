// Where the cameras of a scene stand.
#pragma once

#include <Eigen/Core>

#include "app/capture/synth/options.h"
#include "app/motion/geometry/camera.h"

namespace glint::capture {

/// Where a scene's point (metres, z up, the floor at z = 0) is in the image: x, y in px, and the
/// depth in metres.
Eigen::Vector3d seenBy(const motion::RigCamera& camera, const Eigen::Vector3d& metres);

/// Camera `index` of `count` that stand in a ring of 6 m around the capture volume, in turns at 1.6
/// and 2.2 m, and look at its centre. A figure there fills 0.77 of the image's height.
motion::RigCamera ringCamera(int index, int count, FrameSize size);

/// Camera `index` of `count` in a ring of 3.5 m around (0, 0, 1 m), in turns at 1.5 and 2.2 m; f is
/// 1000 px in an image of 1280 px.
motion::RigCamera wandCamera(int index, int count, FrameSize size);

/// Camera `index` of `count` on an arc of 60 degrees, 0.7 m before (0, 0, 1 m), in turns at 0.9 and
/// 1.15 m; f is 1000 px in an image of 1280 px.
motion::RigCamera boardCamera(int index, int count, FrameSize size);

}  // namespace glint::capture
