// Reads the positions of body parts that DeepLabCut has found.
#pragma once

#include <string>

#include "app/motion/calibrate/points_table.h"

namespace glint::motion {

/// Returns true if the file begins as the CSV of DeepLabCut does. A file that cannot be read is
/// none.
bool isDeepLabCut(const std::string& path);

/// Reads the CSV that DeepLabCut writes for the video of one camera: the lines scorer,
/// (individuals,) bodyparts and coords, and then a line for each frame with x, y and likelihood of
/// each body part. A label is the body part, or "individual:bodypart". Positions whose likelihood
/// is below 0.6, DeepLabCut's own limit, are left out. Throws Error naming the file and the line.
PointTable readDeepLabCut(const std::string& path);

}  // namespace glint::motion
