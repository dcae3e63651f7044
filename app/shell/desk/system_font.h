// A font to read by, among those that the system has.
#pragma once

#include <string>

namespace glint::shell {

/// The file of a scalable font, upright, of normal weight and without serifs, that has Latin
/// letters: the one that fontconfig prefers for the user's language among fonts that FreeType reads
/// from the first face of a file. Empty where there is none. Takes some milliseconds, at the first
/// time on a system more; any thread.
std::string readableFont();

}  // namespace glint::shell
