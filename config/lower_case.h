// Compares texts without regard to capital letters.
#pragma once

#include <string>

namespace glint {

/// Returns the text with its ASCII letters in lower case.
inline std::string lowerCase(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace glint
