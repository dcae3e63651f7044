// Which name was meant by one that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// The name of `all` that is nearest to `given` by edit distance (Wagner and Fischer 1974), empty
/// if `all` is.
std::string nearestName(std::string_view given, const std::vector<std::string>& all);

}  // namespace glint
