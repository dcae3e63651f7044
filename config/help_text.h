// A help text: one line of at most 80 characters; details may follow behind a line break.
#pragma once

#include <string>
#include <string_view>

namespace glint {

inline std::string helpLine(std::string_view help) {
  return std::string(help.substr(0, help.find('\n')));
}

/// Empty where there are none.
inline std::string helpDetails(std::string_view help) {
  const size_t end = help.find('\n');
  return end == std::string_view::npos ? "" : std::string(help.substr(end + 1));
}

}  // namespace glint
