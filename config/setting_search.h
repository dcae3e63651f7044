// The search for settings by words of users, also by those of other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// Returns the keys of the settings that a search finds, in the order of declaration. If `query`
/// has several words that stand together in the label, the key or the help of any settings, it
/// finds these. Otherwise a setting is found if each word is a part of its label, key, help or
/// synonyms: "min size" finds detect.min_radius. Capital letters do not matter. An empty query
/// finds all settings.
std::vector<std::string> findSettings(std::string_view query);

}  // namespace glint
