// Reads and writes rig.toml: a rig in the layout of aniposelib (CameraGroup.dump), with its
// covariance.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// A rig with facts about its origin. Texts that are not known are empty.
struct RigFile {
  Rig rig;
  /// Unit of lengths; "arbitrary" if the scale is not known.
  std::string unit = "mm";
  /// Date of the calibration in the form of ISO 8601.
  std::string date;
  /// One sentence about how the rig was made.
  std::string method;
  /// Mean reprojection error, px; NaN if it is not known.
  double error = std::numeric_limits<double>::quiet_NaN();
  /// A sentence for each thing that was assumed or left out while the file was read.
  std::vector<std::string> remarks = {};
  /// How the stored pictures of each camera were turned for the calibration: kAsStored, or words
  /// such as "turned by 180 degrees". Empty if it is not known.
  std::vector<std::string> orientations = {};
};

inline constexpr const char* kAsStored = "as stored";

/// Returns the text of a rig.toml. It has a table for each camera, in the order of the cameras,
/// with name, size, matrix, distortions, rotation and translation. [metadata] follows. Its list
/// `orientation` holds RigFile::orientations unless they are empty. It says `exact = true` if the
/// rig has no errors. Otherwise, [metadata.covariance] has the names of the parameters, and the
/// lower triangle of the matrix, one row after the other, if the covariance is known. All numbers
/// are written so that they are read back bit by bit.
std::string rigText(const RigFile& file);

/// Writes rigText() to a file. Throws Error naming the file.
void writeRig(const std::string& path, const RigFile& file);

/// Reads a rig in any of these formats, which it recognises by the name and the first bytes:
/// - the TOML of rigText(), aniposelib and caliscope: see readRigText()
/// - OpenCV's FileStorage as YAML or XML: see readOpenCvRig()
/// - Qualisys' .qca.txt: see readQualisysRig()
/// - a folder with COLMAP's text model: see readColmapRig()
/// Throws Error naming the file, and what is wrong where.
RigFile readRig(const std::string& path);

/// Reads a rig from the text of a TOML file, which errors call `name`. The table cam_N is camera N;
/// numbers begin at 0 and have no gap. If no table has such a name, the cameras have the order of
/// the file. `name`, [metadata] and all entries of it may be missing; unknown keys are ignored. A
/// rotation may be a vector or a matrix. In a file of caliscope, numbers may have gaps, cameras
/// that are ignored there are left out, and metres become mm. Throws Error naming the file and the
/// line or the key if the TOML is invalid, there is no camera, a camera is missing or appears
/// twice, numbers are missing, not finite or out of range, a lens is a fisheye, or the covariance
/// is invalid or belongs to an exact rig.
RigFile readRigText(const std::string& text, const std::string& name);

/// Returns the key of camera `index` of `count` in files: cam_3, or cam_03 if there are more than
/// ten. With leading zeros, the keys sort by number, and aniposelib sorts them.
std::string cameraKey(size_t index, size_t count);

}  // namespace glint::motion
