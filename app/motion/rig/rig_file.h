// rig.toml: a rig as a file, in the layout of aniposelib (CameraGroup.dump), with its covariance.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// A rig, and its origin by its file. Unknown texts are empty.
struct RigFile {
  Rig rig;
  std::string unit = "mm";  ///< of lengths; "arbitrary" where the scale is not known
  std::string date;         ///< ISO 8601
  std::string method;       ///< how it was made, one sentence
  double error = std::numeric_limits<double>::quiet_NaN();  ///< px, mean; NaN: not known
};

/// A table for each camera, in their order: name, size, matrix, distortions, rotation, translation;
/// then [metadata] with `exact = true` for a rig without errors, or, where it is known,
/// [metadata.covariance]: the names of the numbers, and the lower triangle of the matrix, a row
/// each. Numbers read back as the same.
std::string rigText(const RigFile& file);

/// Writes rigText(). Throws Error naming the file.
void writeRig(const std::string& path, const RigFile& file);

/// Reads what rigText() writes, and what aniposelib does. The table cam_N is camera N, from 0
/// without a gap; tables that all have other names are cameras in the order of the file. `name`,
/// [metadata] and all in it may be missing; other keys are passed over. Throws Error naming the
/// file and the line or the key, for invalid TOML, no camera, cameras that are missing or there
/// twice, numbers that are missing, not finite or out of range, a fisheye lens, or a covariance
/// that is invalid or of an exact rig.
RigFile readRig(const std::string& path);

/// The same from the text of a file; `name` stands for it in messages.
RigFile readRigText(const std::string& text, const std::string& name);

/// What camera `index` of `count` is called in files: cam_3, or cam_03 where there are more than
/// ten, so that they sort (aniposelib sorts them).
std::string cameraKey(size_t index, size_t count);

}  // namespace glint::motion
