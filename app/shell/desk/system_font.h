// Finds readable fonts on the system.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace glint::shell {

/// Returns the file of a font with Latin letters that is scalable, upright, of normal weight and
/// without serifs. It is the one that fontconfig prefers for the user's language, among those that
/// FreeType reads from the first face of a file. Empty if there is none. Takes some milliseconds,
/// and more the first time on a system. Any thread.
std::string readableFont();

/// A font, and the letters that are to be taken from it.
struct LettersFont {
  std::string file;
  int index = 0;  ///< number of the face in the file, as fontconfig gives it
  std::set<char32_t> letters;
};

/// Returns fonts that together have as many of the letters as all fonts of the system have, those
/// first that fontconfig prefers for reading. Takes as long as readableFont(). Any thread.
std::vector<LettersFont> fontsWith(std::set<char32_t> letters);

}  // namespace glint::shell
