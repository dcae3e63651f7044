// Functions that write values as TOML.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// Returns the shortest text that reads back as the same float. Whole numbers get a decimal point.
std::string tomlNumber(double value);

/// Returns a basic string of TOML, which is also a string of JSON. The text may contain any bytes
/// (see toUtf8()).
std::string tomlString(std::string_view text);

}  // namespace glint
