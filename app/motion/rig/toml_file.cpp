#include "app/motion/rig/toml_file.h"

#include <fmt/format.h>

#include "config/error.h"
#include "config/toml_guard.h"
#include "config/toml_source.h"

namespace glint::motion {

std::string readTomlFile(const std::string& path, const std::string& what) {
  // Maximum size of a file, bytes. The covariance of sixteen cameras takes half a MiB.
  constexpr size_t kMostBytes = 16 << 20;
  return readTomlSource(path, what, kMostBytes);
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
