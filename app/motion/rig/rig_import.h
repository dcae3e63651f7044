// Reads rigs in the formats of other programs.
#pragma once

#include <string>

#include "app/motion/rig/rig_file.h"

namespace glint::motion {

/// Reads a rig from OpenCV's FileStorage (YAML, XML or JSON), which errors call `name`. Each camera
/// N from 0 has image_width_N, image_height_N, camera_matrix_N, distortion_coefficients_N, R_N (a
/// matrix or a Rodrigues vector) and T_N; the last two lead from the world to the camera. Without
/// numbers, as OpenCV's calibration sample writes it, the file holds one camera, whose pose may be
/// missing. `unit` may name the unit of lengths. Throws Error for a fisheye lens, for more than
/// five distortion coefficients, and for what is missing or no number.
RigFile readOpenCvRig(const std::string& text, const std::string& name);

/// Reads a rig from the text of a calibration that Qualisys Track Manager has exported (.qca.txt).
/// The images are those of fov_video. A camera's own frame has y up and looks along -z; focal
/// lengths and centres are in fractions of a pixel, mostly 1/64. Throws Error naming the camera.
RigFile readQualisysRig(const std::string& text, const std::string& name);

/// Reads a rig from COLMAP's cameras.txt and images.txt (colmap.github.io/format.html): a camera
/// for each image, in the order of IMAGE_ID. The unit of lengths is "arbitrary" unless images.txt
/// has the comment "# UNIT mm". Throws Error naming the file in `folder`, and the line, for a
/// fisheye model and for what the formats do not allow.
RigFile readColmapRig(const std::string& cameras, const std::string& images,
                      const std::string& folder);

}  // namespace glint::motion
