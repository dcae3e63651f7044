#include "app/motion/rig/toml_file.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "config/error.h"
#include "config/toml_guard.h"

namespace glint::motion {

std::string readTomlFile(const std::string& path, const std::string& what) {
  // Maximum size of a file, bytes. The covariance of sixteen cameras takes half a MiB.
  constexpr size_t kMostBytes = 16 << 20;
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    throw Error(fmt::format("cannot read the {} '{}'", what, path));
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (text.size() <= kMostBytes && (file.read(buffer.data(), 1 << 16), file.gcount() > 0))
    text.append(buffer.data(), static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes)
    throw Error(
        fmt::format("'{}' is larger than {} bytes, so it is not a {}", path, kMostBytes, what));
  return text;
}

toml::table parseToml(const std::string& text, const std::string& name) {
  if (const auto problem = findUnreadable(text))
    throw Error(fmt::format("{}, line {}: {}", name, problem->line, problem->what));
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw Error(
        fmt::format("{}, line {}: {}", name, error.source().begin.line, error.description()));
  }
}

}  // namespace glint::motion
