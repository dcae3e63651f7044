// Finds input with which toml++ 3.3 would crash. Internal to config/.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glint {

struct Unreadable {
  size_t line = 0;  ///< from 1
  std::string what;
};

/// Returns the first place of a TOML text with which toml++ could crash, or nothing. Such places
/// are: a character outside of ASCII that is not in a string or comment (TOML 1.0 does not allow
/// it; if a value begins with one, toml++ 3.3 has undefined behaviour); and brackets that are
/// nested too deeply, or keys with too many parts, because toml++ handles both by recursion.
std::optional<Unreadable> findUnreadable(std::string_view text);

}  // namespace glint
