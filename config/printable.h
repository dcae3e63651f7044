// Functions that make texts from outside (names of files, fields, settings) safe to print, and that
// print counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glint {

/// Returns the number of bytes of the UTF-8 character at the front of `text` (RFC 3629), or 0 if
/// the text does not begin with one.
size_t characterLength(std::string_view text);

/// Returns true if all of `text` is UTF-8.
bool isUtf8(std::string_view text);

/// Returns `text` as a terminal can show it. Control characters and bytes that are not UTF-8 are
/// written as escapes such as \x1b. If `lines` is true, line ends are kept.
std::string printable(std::string_view text, bool lines = false);

/// Replaces each byte that is not UTF-8 by an escape such as \xff, so that TOML and JSON can hold a
/// name of any bytes. If the text already contains such an escape, its backslash becomes \x5c.
std::string toUtf8(std::string_view text);
/// Reverses toUtf8().
std::string fromUtf8(std::string_view text);

/// Returns `text` if it has at most `most` bytes. Otherwise returns its beginning, without cutting
/// a character, and "...".
std::string shortened(std::string_view text, size_t most);

/// Returns "1 marker", "2 markers" and so on.
inline std::string counted(uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace glint
