#include "app/base/numbered_name.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "config/error.h"

namespace glint::base {

namespace fs = std::filesystem;

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::optional<NumberedName> NumberedName::in(const std::string& name) {
  const size_t percent = name.find('%');
  if (percent == std::string::npos) return std::nullopt;
  const auto end = static_cast<size_t>(
      std::find_if_not(name.begin() + static_cast<ptrdiff_t>(percent) + 1, name.end(), isDigit) -
      name.begin());
  const std::string width = name.substr(percent + 1, end - percent - 1);
  if (end == name.size() || name[end] != 'd' || width.size() > 3 ||
      name.find('%', end) != std::string::npos)
    throw UsageError("'{}' has no number such as %04d", name);
  return NumberedName{name.substr(0, percent), name.substr(end + 1),
                      width.empty() ? 0 : std::stoi(width)};
}

std::string NumberedName::at(uint64_t n) const {
  return fmt::format("{}{:0{}}{}", before, n, digits, after);
}

std::optional<std::string> NumberedName::throughEntry(const std::string& entry) const {
  const std::string begin = fs::path(before).filename().string();
  if (!entry.starts_with(begin)) return std::nullopt;
  uint64_t n = 0;
  const char* const last = entry.data() + entry.size();
  const auto [rest, error] = std::from_chars(entry.data() + begin.size(), last, n);
  if (error != std::errc()) return std::nullopt;
  const std::string file = at(n);  // the number may be in the name of a folder above the file
  const std::string named = file.substr(before.size() - begin.size());
  if (named != entry && !named.starts_with(entry + '/')) return std::nullopt;
  return file;
}

bool NumberedName::covers(const std::string& path) const {
  const std::vector<std::string> there = present();
  if (std::ranges::any_of(there, [&](const std::string& file) { return sameFile(file, path); }))
    return true;
  const fs::path place = followLinks(path);
  const fs::path last = after.find('/') == std::string::npos ? place : place.parent_path();
  const auto file = throughEntry(last.filename().string());
  return file && sameFile(*file, path);
}

std::vector<std::string> NumberedName::present() const {
  const fs::path folder = fs::path(before).parent_path();
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    const auto file = throughEntry(entry->path().filename().string());
    std::error_code missing;
    if (file && fs::exists(*file, missing)) files.push_back(*file);
  }
  return files;
}

}  // namespace glint::base
