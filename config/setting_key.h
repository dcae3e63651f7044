// Keys of settings that the compiler checks.
#pragma once

#include <cstddef>
#include <string_view>

#include "config/describe.h"

namespace glint {

/// Returns the text of "detect.separation"_key. If no setting has this key, it does not compile.
consteval std::string_view operator""_key(const char* text, size_t length) {
  extern const Settings described;  // only named, never read or defined
  const std::string_view key(text, length);
  bool found = false;
  describe(described, [&](const auto& setting) { found = found || setting.key == key; });
  if (!found) throw "no setting has this key";
  return key;
}

}  // namespace glint
