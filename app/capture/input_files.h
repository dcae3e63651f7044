// The files behind sources, so that no output overwrites one.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace glint {

/// The files that openSource() would read for each of `sources`: of a folder or a pattern all its
/// images. What does not exist or is no file (a URL, a camera, a scene) has none. Throws nothing
/// for sources that cannot be opened.
std::vector<std::string> inputFiles(std::span<const std::string> sources);

}  // namespace glint
