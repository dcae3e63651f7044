// Figures that say how good a fit is.
#pragma once

#include "app/motion/calibrate/calibration.h"

namespace glint::motion {

/// Returns the figures of each camera over the items of the moments for which `counts` is true. The
/// figures of a camera contain those of its other places, whose own figures are empty.
std::vector<CameraFigures> cameraFigures(const Bundle& bundle, const LightRecording& recording,
                                         const Target& target, const std::vector<bool>& counts);

/// Returns residuals and wand lengths over the items of the moments for which `counts` is true. The
/// lengths must not have been constrained in the fit.
HeldOut heldOutFigures(const Bundle& bundle, const LightRecording& recording, const Target& target,
                       const std::vector<bool>& counts);

/// Returns the root of the mean squared residual over sigma. The number of fitted parameters is
/// taken into account.
double misfitOf(const Bundle& bundle);

/// Returns true if the focal length is 0.2 to 20 widths of the image, and the centre is inside it.
bool isPlausible(const Lens& lens, const FrameExtent& size);

/// Sets the mean and the rms of `held` from those of its cameras.
void averageCameras(HeldOut& held);

/// Returns the number of moments in which cameras i and j have both seen the target, at [i][j].
/// `sees` has a value for each camera and moment.
std::vector<std::vector<size_t>> countShared(const std::vector<std::vector<bool>>& sees);

}  // namespace glint::motion
