#include "config/toml_guard.h"

#include <algorithm>

#include <fmt/format.h>

namespace glint {
namespace {

constexpr size_t kDeepest = 32;   // most levels of nested brackets
constexpr size_t kMostDots = 32;  // most dots of a key

bool isQuote(char c) {
  return c == '"' || c == '\'';
}

bool isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0x80) == 0; });
}

bool isOneOf(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

/// Returns the end of the string that begins at `at`: the position after its last quote. If that is
/// missing, returns the end of the line, or of the text for strings of several lines.
size_t endOfString(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool lines = text.substr(at, 3) == std::string(3, quote);
  const size_t length = lines ? 3 : 1;
  for (size_t i = at + length; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == '\n' && !lines) {
      return i;
    } else if (text.substr(i, length) == std::string(length, quote)) {
      i += length;
      // Up to two quotes may precede the three that end the string.
      for (int more = 0; lines && more < 2 && i < text.size() && text[i] == quote; ++more) ++i;
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::optional<Unreadable> findUnreadable(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  size_t line = 1, depth = 0, dots = 0, equals = 0;
  char before = '\n';  // the last character that was not a blank
  size_t i = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (i < text.size()) {
    const char c = text[i];
    // toml++ scans everything after the beginning of a value, including strings.
    if ((isQuote(c) || isOneOf(c, "[{")) && !isOneOf(before, "\n=,[{."))
      return Unreadable{line, fmt::format("unexpected {}", c)};
    if (isQuote(c) || c == '#') {
      const size_t end =
          isQuote(c) ? endOfString(text, i) : std::min(text.find('\n', i), text.size());
      const std::string_view passage = text.substr(i, end - i);
      if (isQuote(c) && before == '.' && !isAscii(passage))
        return Unreadable{line, "parts of keys must be ASCII"};
      line += static_cast<size_t>(std::count(passage.begin(), passage.end(), '\n'));
      before = c;
      i = end;
      continue;
    }
    if (!isAscii({&c, 1})) return Unreadable{line, "text that is not ASCII must be in quotes"};
    if (isOneOf(c, "[{")) ++depth;
    if (isOneOf(c, "]}") && depth > 0) --depth;
    if (c == '.') ++dots;
    if (isOneOf(c, "=,[{\n")) dots = 0;
    if (isOneOf(c, ",{\n")) equals = 0;
    if (c == '=' && ++equals > 1) return Unreadable{line, "a value cannot hold a = without quotes"};
    if (depth > kDeepest)
      return Unreadable{line, fmt::format("brackets nest more than {} deep", kDeepest)};
    if (dots > kMostDots)
      return Unreadable{line, fmt::format("a key has more than {} parts", kMostDots)};
    if (c == '\n') ++line;
    if (!isOneOf(c, " \t\r")) before = c;
    ++i;
  }
  return std::nullopt;
}

}  // namespace glint
