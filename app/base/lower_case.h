#pragma once

#include <cctype>
#include <string>

namespace glint::base {

/// Returns the text with its ASCII letters in lower case.
inline std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace glint::base
