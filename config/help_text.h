// Help texts. A help text has one line of at most 80 characters. Details may follow after a line
// break.
#pragma once

#include <string>
#include <string_view>

namespace glint {

inline std::string helpLine(std::string_view help) {
  return std::string(help.substr(0, help.find('\n')));
}

/// Returns the text after the first line, which may be empty.
inline std::string helpDetails(std::string_view help) {
  const size_t end = help.find('\n');
  return end == std::string_view::npos ? "" : std::string(help.substr(end + 1));
}

}  // namespace glint
