#include "config/toml_value.h"

#include <fmt/format.h>

#include "config/printable.h"

namespace glint {

std::string tomlNumber(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string tomlString(std::string_view text) {
  std::string result = "\"";
  for (const char c : toUtf8(text)) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

}  // namespace glint
