// Reads the text of TOML files, and says what is wrong with a file that cannot be one.
#pragma once

#include <cstddef>
#include <string>

namespace glint {

/// Returns the text of a TOML file. `what` names its kind in messages, for example "rig". Throws
/// Error with the name of the file and the reason if it cannot be read, if it is larger than
/// `mostBytes`, or if it is a CSV table instead.
std::string readTomlSource(const std::string& path, const std::string& what, size_t mostBytes);

}  // namespace glint
