#include "config/printable.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace glint {
namespace {

unsigned byteOf(char c) {
  return static_cast<unsigned char>(c);
}

/// The number of bytes of a character that follows from its first byte, and the range of its second
/// byte.
struct Lead {
  size_t length = 0;  // 0: no character begins with this byte
  unsigned least = 0x80, most = 0xBF;
};

Lead leadOf(unsigned byte) {
  if (byte < 0x80) return {1};
  if (byte >= 0xC2 && byte <= 0xDF) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (byte >= 0xE1 && byte <= 0xEF) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {4};
  return {};
}

/// Returns true for C0 (below U+0020), DEL, and C1 (U+0080 to U+009F).
bool isControl(std::string_view character) {
  const unsigned first = byteOf(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return character.size() == 2 && first == 0xC2 && byteOf(character[1]) < 0xA0;
}

/// Returns the byte that an escape such as "\\xff" at the front of `text` stands for. Returns
/// nothing if there is no escape, or if toUtf8() does not escape this byte: it escapes only
/// backslashes and bytes from 0x80 on.
std::optional<char> escapedByte(std::string_view text) {
  unsigned byte = 0;
  if (text.size() < 4 || !text.starts_with("\\x")) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 4, byte, 16);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  return byte >= 0x80 || byte == '\\' ? std::optional(static_cast<char>(byte)) : std::nullopt;
}

/// Calls visit(character, true) for every character, and visit(byte, false) for every byte that is
/// not part of one.
void forEachCharacter(std::string_view text, const auto& visit) {
  while (!text.empty()) {
    const size_t length = characterLength(text);
    const std::string_view character = text.substr(0, std::max<size_t>(length, 1));
    visit(character, length > 0);
    text.remove_prefix(character.size());
  }
}

}  // namespace

size_t characterLength(std::string_view text) {
  if (text.empty()) return 0;
  const Lead lead = leadOf(byteOf(text[0]));
  if (lead.length > text.size()) return 0;
  for (size_t i = 1; i < lead.length; ++i) {
    const unsigned byte = byteOf(text[i]);
    const bool second = i == 1;
    if (byte < (second ? lead.least : 0x80) || byte > (second ? lead.most : 0xBF)) return 0;
  }
  return lead.length;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = characterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text, bool lines) {
  std::string shown;
  forEachCharacter(text, [&](std::string_view character, bool valid) {
    const bool lineEnd = lines && character == "\n";
    if (lineEnd || (valid && !isControl(character))) {
      shown += character;
    } else {
      for (const char c : character) shown += fmt::format("\\x{:02x}", byteOf(c));
    }
  });
  return shown;
}

std::string toUtf8(std::string_view text) {
  std::string valid;
  const char* const end = text.data() + text.size();
  forEachCharacter(text, [&](std::string_view character, bool isOne) {
    const bool plain = isOne && !escapedByte({character.data(), end});
    valid += plain ? std::string(character) : fmt::format("\\x{:02x}", byteOf(character[0]));
  });
  return valid;
}

std::string fromUtf8(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const auto escaped = escapedByte(text);
    bytes += escaped.value_or(text[0]);
    text.remove_prefix(escaped ? 4 : 1);
  }
  return bytes;
}

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  size_t end = most;
  while (end > 0 && (byteOf(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace glint
