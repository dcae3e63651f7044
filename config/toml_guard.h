// Finds input that toml++ 3.3 does not survive. Internal to config/.
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

/// The first place of a TOML text that toml++ would not survive, or empty: a character outside
/// ASCII that stands in no string or comment (TOML 1.0 allows none; toml++ 3.3 runs into undefined
/// behaviour where a value begins with one), brackets that nest or keys that have parts without
/// bounds, as their tables are walked through by recursion.
std::optional<Unreadable> findUnreadable(std::string_view text);

}  // namespace glint
