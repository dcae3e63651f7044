// What a fit is worth.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Figures of each camera over the items of the moments that `counts` says.
std::vector<CameraFigures> cameraFigures(const Bundle& bundle, const LightRecording& recording,
                                         const Target& target, const std::vector<bool>& counts);

/// Pixels and lengths over the items of moments that `counts` says; the lengths must have been
/// free.
HeldOut heldOutFigures(const Bundle& bundle, const LightRecording& recording, const Target& target,
                       const std::vector<bool>& counts);

/// Root of the mean square of residual over sigma, with the numbers taken off that were fitted.
double misfitOf(const Bundle& bundle);

/// Returns true if the focal length is 0.2 to 20 widths of the image, and the centre is inside it.
bool isPlausible(const Lens& lens, const FrameExtent& size);

/// Sets the mean and the rms of `held` from those of its cameras.
void averageCameras(HeldOut& held);

/// In how many moments cameras i and j have both seen the target, at [i][j]. `sees`: of each
/// camera, for each moment.
std::vector<std::vector<size_t>> countShared(const std::vector<std::vector<bool>>& sees);

}  // namespace glint::motion
