// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// Returns the name in `all` that `given` is probably a misspelling of, or an empty text if none is
/// near enough. The distance of two names is the number of characters that are inserted, left out,
/// replaced, or swapped with their neighbour (optimal string alignment: Damerau 1964). It may be up
/// to a third of the length of the longer name. Capital letters and the difference between '-' and
/// '_' do not count. The last part of a name with dots can be given alone: "seperation" leads to
/// "detect.separation".
std::string nearestName(std::string_view given, const std::vector<std::string>& all);

/// Returns the suggestion that a message appends, "; did you mean 'track'?", or an empty text if no
/// name in `all` is near enough. `before` and `after` go around the name within the quotes, as in
/// "; did you mean '--set detect.separation=5'?".
std::string didYouMean(std::string_view given, const std::vector<std::string>& all,
                       std::string_view before = "", std::string_view after = "");

}  // namespace glint
