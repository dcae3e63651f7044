// TOML files that are read whole. Their lines are known for messages.
#pragma once

#include <string>

#include <toml++/toml.h>

namespace glint::motion {

/// The text of a file. Throws Error naming it, where it cannot be read or is so large that it is
/// none; `what`: "rig".
std::string readTomlFile(const std::string& path, const std::string& what);

/// Throws Error naming `name` and the line.
toml::table parseToml(const std::string& text, const std::string& name);

}  // namespace glint::motion
