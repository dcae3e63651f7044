// Recognises tables of DeepLabCut. Internal to calibrate/.
#pragma once

#include <string>

namespace glint::motion {

/// Returns true if the file begins as the CSV of DeepLabCut does. A file that cannot be read is
/// none.
bool isDeepLabCut(const std::string& path);

}  // namespace glint::motion
