// Keys of settings that are checked while Glint is compiled.
#pragma once

#include <cstddef>
#include <string_view>

#include "config/describe.h"

namespace glint {

/// "detect.separation"_key is this text. A key that no setting has does not compile.
consteval std::string_view operator""_key(const char* text, size_t length) {
  extern const Settings described;  // is named only, never read
  const std::string_view key(text, length);
  bool found = false;
  describe(described, [&](const auto& setting) { found = found || setting.key == key; });
  if (!found) throw "no setting has this key";
  return key;
}

}  // namespace glint
