// The time stamps of Phantom's CINE files, which libav does not read. Internal to capture/.
#pragma once

#include <string>
#include <vector>

namespace glint::capture {

/// Returns the time of each image of a CINE file, s, as its block 1002 tells (Vision Research,
/// "Cine File Format", TIME64 of each image); empty if it is no such file, has no such block, or
/// one whose times do not rise.
std::vector<double> cineTimes(const std::string& path);

}  // namespace glint::capture
