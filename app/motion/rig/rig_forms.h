// A rig in the forms of other programs.
#pragma once

#include <string>

#include "app/motion/rig/rig_file.h"

namespace glint::motion {

/// YAML of OpenCV's FileStorage: of each camera N image_width_N, image_height_N, camera_matrix_N,
/// distortion_coefficients_N, R_N (3x3) and T_N (mm), world to camera.
std::string openCvText(const RigFile& file);

/// COLMAP's cameras.txt: the model FULL_OPENCV, in which the centre of the top-left pixel is
/// (0.5, 0.5).
std::string colmapCameras(const RigFile& file);

/// COLMAP's images.txt: a pose each, without points.
std::string colmapImages(const RigFile& file);

/// aniposelib's own: rigText() without the covariance.
std::string aniposeText(RigFile file);

}  // namespace glint::motion
