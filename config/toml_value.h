// Values as TOML has them.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// The shortest float that reads back as the same; whole numbers keep their point.
std::string tomlNumber(double value);

/// A basic string, which is a JSON string, too, of any bytes: see toUtf8().
std::string tomlString(std::string_view text);

}  // namespace glint
