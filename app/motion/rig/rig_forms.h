// Converts rigs to the formats of other programs.
#pragma once

#include <string>

#include "app/motion/rig/rig_file.h"

namespace glint::motion {

/// Returns YAML for OpenCV's FileStorage. Each camera N has image_width_N, image_height_N,
/// camera_matrix_N, distortion_coefficients_N, R_N (3x3) and T_N (mm); the last two lead from the
/// world to the camera.
std::string openCvText(const RigFile& file);

/// Returns COLMAP's cameras.txt with the model FULL_OPENCV. In that file, the centre of the
/// top-left pixel is (0.5, 0.5).
std::string colmapCameras(const RigFile& file);

/// Returns COLMAP's images.txt: one image with its pose for each camera, without points.
std::string colmapImages(const RigFile& file);

/// Returns a file for aniposelib: rigText() without the covariance.
std::string aniposeText(RigFile file);

}  // namespace glint::motion
