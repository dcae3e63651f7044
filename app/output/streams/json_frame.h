// A frame as JSON Lines; docs/formats.md describes them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// Whole lines, each with its line end and of at most `limit` bytes (at least 1000): one for each
/// camera that gave a frame, or several, with the same frame and "count", where one cannot hold all
/// markers. With a rig, one more for the points of the set, and one for the poses where there are
/// any.
std::vector<std::string> jsonLines(const motion::Frame& frame, size_t limit);

}  // namespace glint::output
