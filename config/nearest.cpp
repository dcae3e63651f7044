#include "config/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace glint {
namespace {

/// The longest names that are compared, because the time grows with the product of the lengths.
constexpr size_t kMostCompared = 100;

/// Returns the name in lower case, with '_' for '-'.
std::string plain(std::string_view name) {
  std::string text(name.substr(0, kMostCompared));
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(c == '-' ? '_' : std::tolower(c));
  });
  return text;
}

/// Returns the optimal string alignment distance.
size_t editDistance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between the beginnings of `a` and of `b`.
  std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    beforeLast.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
  }
  return row.back();
}

/// The distance of two names, as a share of the longer one's length.
struct Distance {
  double share;
  bool near;
};

Distance distanceOf(std::string_view given, std::string_view name) {
  const size_t longer = std::max(given.size(), name.size());
  if (longer == 0) return {1, false};
  const size_t edits = editDistance(given, name);
  return {static_cast<double>(edits) / static_cast<double>(longer), 3 * edits <= longer};
}

}  // namespace

std::string nearestName(std::string_view given, const std::vector<std::string>& all) {
  const std::string meant = plain(given);
  std::string nearest;
  double least = 2;
  const auto compare = [&](const std::string& whole, std::string_view part) {
    const Distance distance = distanceOf(meant, part);
    if (!distance.near || distance.share >= least) return;
    least = distance.share;
    nearest = whole;
  };
  for (const std::string& name : all) {
    const std::string comparable = plain(name);
    compare(name, comparable);
    const size_t dot = comparable.rfind('.');
    if (dot != std::string::npos && meant.find('.') == std::string::npos)
      compare(name, std::string_view(comparable).substr(dot + 1));
  }
  return nearest;
}

std::string didYouMean(std::string_view given, const std::vector<std::string>& all,
                       std::string_view before, std::string_view after) {
  std::string name = nearestName(given, all);
  if (name.empty()) return "";
  return std::string("; did you mean '").append(before).append(name).append(after).append("'?");
}

}  // namespace glint
