// Texts to print: those from outside (names of files, fields, settings) made safe, and counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glint {

/// The bytes of the UTF-8 character at the front of `text` (RFC 3629), or 0 where there is none.
size_t characterLength(std::string_view text);

/// `text` as a terminal can show it: control characters and bytes that are not UTF-8 become \x1b;
/// with `lines` line ends stay.
std::string printable(std::string_view text, bool lines = false);

/// `text` with \xff in place of a byte that is not UTF-8, so that TOML and JSON can hold a name of
/// any bytes. Text that already looks like that begins with \x5c instead, so that fromUtf8()
/// restores it.
std::string toUtf8(std::string_view text);
std::string fromUtf8(std::string_view text);

/// The beginning of `text`, at most `most` bytes of it and whole characters, and "..." where
/// something is missing.
std::string shortened(std::string_view text, size_t most);

/// "1 marker", "2 markers".
inline std::string counted(uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace glint
