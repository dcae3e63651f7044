// Finds a readable font on the system.
#pragma once

#include <string>

namespace glint::shell {

/// Returns the file of a font with Latin letters that is scalable, upright, of normal weight and
/// without serifs. It is the one that fontconfig prefers for the user's language, among those that
/// FreeType reads from the first face of a file. Empty if there is none. Takes some milliseconds,
/// and more the first time on a system. Any thread.
std::string readableFont();

}  // namespace glint::shell
