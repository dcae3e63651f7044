// Reads whole TOML files and reports errors with their line.
#pragma once

#include <string>

#include <toml++/toml.h>

namespace glint::motion {

/// Returns the text of a file. `what` names its kind in messages, for example "rig". Throws Error
/// with the file and the reason if it cannot be read, if it is larger than any such file, or if it
/// is a CSV table.
std::string readTomlFile(const std::string& path, const std::string& what);

/// Parses TOML. Throws Error naming `name` and the line.
toml::table parseToml(const std::string& text, const std::string& name);

}  // namespace glint::motion
