// Texts from outside (names of files, fields, settings), made fit to be shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glint {

/// The bytes of the UTF-8 character at the front of `text` (RFC 3629), or 0 where there is none.
size_t characterLength(std::string_view text);

/// `text` without what a terminal would obey or could not show: control characters and bytes that
/// are no UTF-8 stand as \x1b; with `lines` line ends stay.
std::string printable(std::string_view text, bool lines = false);

/// `text` with \xff in place of a byte that is no UTF-8, so that TOML and JSON can hold a name of
/// any bytes. What looks like that already begins with \x5c instead, so fromUtf8() gives it back.
std::string toUtf8(std::string_view text);
std::string fromUtf8(std::string_view text);

/// The beginning of `text`, at most `most` bytes of it and whole characters, and "..." where
/// something is missing.
std::string shortened(std::string_view text, size_t most);

}  // namespace glint
