// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// Returns the name in `all` that has the least edit distance from `given` (Wagner and Fischer
/// 1974), or an empty text if `all` is empty.
std::string nearestName(std::string_view given, const std::vector<std::string>& all);

}  // namespace glint
