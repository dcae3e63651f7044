// Reads the labelled 2D points that programs for poses of animals and people write.
#pragma once

#include <string>

#include "app/motion/calibrate/points_table.h"

namespace glint::motion {

/// Returns true if the file begins like those that readPoses() reads. Returns false if it cannot be
/// read.
bool isPoseFile(const std::string& path);

/// Reads the labelled points of one camera from DeepLabCut's CSV (see readDeepLabCut()) or HDF5, or
/// from SLEAP's CSV or analysis HDF5. A label is the body part, or "individual:bodypart" where
/// there are several individuals. Frames count from 0. The table has no times and no sigmas. Throws
/// Error naming the file, and the line if it has lines.
PointTable readPoses(const std::string& path);

}  // namespace glint::motion
