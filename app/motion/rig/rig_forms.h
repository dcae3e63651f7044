// Converts rigs to the formats of other programs.
#pragma once

#include <string>

#include "app/motion/rig/rig_file.h"

namespace glint::motion {

/// Returns YAML or XML for OpenCV's FileStorage: see readOpenCvRig(). Each camera N also has name_N
/// and, if it is not 0, time_offset_s_N.
std::string openCvText(const RigFile& file, bool xml);

/// Returns a calibration as Qualisys Track Manager exports it: see readQualisysRig().
std::string qualisysText(const RigFile& file);

/// Returns a camera array for caliscope: tables cameras.N with rotation matrices and lengths in m.
std::string caliscopeText(const RigFile& file);

/// The formats of other programs.
enum class RigForm { anipose, caliscope, opencv, colmap, qualisys };

/// Returns what the format cannot hold of the rig, as one sentence that begins with `path`; empty
/// if it holds everything.
std::string rigLosses(const RigFile& file, RigForm form, const std::string& path);

/// Returns COLMAP's cameras.txt with the model FULL_OPENCV. In that file, the centre of the
/// top-left pixel is (0.5, 0.5).
std::string colmapCameras(const RigFile& file);

/// Returns COLMAP's images.txt: one image with its pose for each camera, without points. A comment
/// says the unit of lengths.
std::string colmapImages(const RigFile& file);

/// Returns a file for aniposelib: rigText() without the covariance.
std::string aniposeText(RigFile file);

}  // namespace glint::motion
