// The suffix of a file's name, which says the format that is written.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glint::base {

/// Returns the longest of the suffixes that the name ends in, in whatever case its letters are;
/// empty if it ends in none of them.
std::string_view longestSuffix(const std::string& path, std::span<const std::string_view> suffixes);

/// Throws UsageError listing the suffixes if a file that shall hold `what`, such as "the table",
/// ends in none of them. Devices, pipes and standard output may have any name, and an empty path is
/// no file.
void checkSuffix(const std::string& path, std::string_view what,
                 std::span<const std::string_view> suffixes);
inline void checkSuffix(const std::string& path, std::string_view what, std::string_view suffix) {
  checkSuffix(path, what, std::span(&suffix, 1));
}

}  // namespace glint::base
