#include "config/toml_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "config/error.h"

namespace glint {
namespace {

bool isText(std::string_view line) {
  return std::ranges::none_of(
      line, [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\r') || c == 0x7F; });
}

/// Returns true if the text begins as a CSV table does: the first line that is neither empty nor a
/// comment separates cells with commas, semicolons or tabs. In TOML, this line would have a "=", or
/// begin with "[". JSON begins with a bracket, too.
bool isCsv(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t first = line.find_first_not_of(" \r\xEF\xBB\xBF");
    if (first == std::string_view::npos || line[first] == '#') continue;
    return isText(line) && line[first] != '[' && line[first] != '{' &&
           line.find('=') == std::string_view::npos &&
           line.find_first_of(",;\t") != std::string_view::npos;
  }
  return false;
}

}  // namespace

std::string readTomlSource(const std::string& path, const std::string& what, size_t mostBytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error("cannot read the {} '{}': it is a folder", what, path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read the {} '{}': {}", what, path, std::strerror(errno));
  std::string text;
  std::string block(size_t{1} << 16, '\0');
  while (text.size() <= mostBytes &&
         (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0))
    text.append(block, 0, static_cast<size_t>(file.gcount()));
  if (text.size() > mostBytes)
    throw Error("'{}' is larger than {} bytes, so it is not a {}", path, mostBytes, what);
  if (isCsv(text)) throw Error("'{}' is a CSV table, not a {} (TOML)", path, what);
  return text;
}

}  // namespace glint
