#include "app/base/suffix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/paths.h"
#include "config/error.h"
#include "config/lower_case.h"

namespace glint::base {

std::string_view longestSuffix(const std::string& path,
                               std::span<const std::string_view> suffixes) {
  const std::string name = lowerCase(path);
  std::string_view longest;
  for (const std::string_view suffix : suffixes)
    if (suffix.size() > longest.size() && name.ends_with(suffix)) longest = suffix;
  return longest;
}

void checkSuffix(const std::string& path, std::string_view what,
                 std::span<const std::string_view> suffixes) {
  if (path.empty() || isDevice(path) || standardStream(path)) return;
  if (!longestSuffix(path, suffixes).empty()) return;
  throw UsageError("the name '{}' does not show the format of {}: it must end in {}{}", path, what,
                   suffixes.size() > 1 ? "one of " : "", fmt::join(suffixes, ", "));
}

}  // namespace glint::base
