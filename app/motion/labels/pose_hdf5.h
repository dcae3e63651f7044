// Reads the HDF5 files of DeepLabCut and SLEAP.
#pragma once

#include <string>

#include "app/motion/calibrate/points_table.h"

namespace glint::motion {

/// Returns true if the file begins like an HDF5 file. Returns false if it cannot be read.
bool isHdf5(const std::string& path);

/// Reads one of two layouts, which their programs document:
/// - DeepLabCut writes a pandas DataFrame `df_with_missing` in pandas' format "table". Its columns
///   are those of its CSV: see readDeepLabCut().
/// - SLEAP's analysis file has the datasets `tracks` (x and y by track, node and frame; its
///   attribute `dims` names the axes, and without it they are track, xy, node, frame), `node_names`
///   and `track_names`.
/// A process of its own reads the file: see base::runIsolated(). Links to other files are not
/// followed. Throws Error naming the file if it is none of these, is damaged, or holds more than
/// 10^8 values.
PointTable readPoseHdf5(const std::string& path);

}  // namespace glint::motion
