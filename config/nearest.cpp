#include "config/nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace glint {
namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

std::string nearestName(std::string_view given, const std::vector<std::string>& all) {
  const std::string_view meant = given.substr(0, 100);  // time grows with the product of lengths
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return editDistance(meant, a) < editDistance(meant, b);
  });
  return nearest == all.end() ? "" : *nearest;
}

}  // namespace glint
