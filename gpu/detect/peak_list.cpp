#include "gpu/detect/peak_list.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gpu/passes.h"

namespace glint {
namespace {

constexpr uint32_t kLeastCell = 16;  // px: few cells for dense peaks

uint32_t columnOf(const shared::Candidate& c) {
  return c.place & 0xffffU;
}
uint32_t rowOf(const shared::Candidate& c) {
  return c.place >> 16;
}

bool tooNear(const shared::Candidate& a, const shared::Candidate& b, uint32_t separationUp) {
  const int64_t dx = int64_t{columnOf(a)} - columnOf(b), dy = int64_t{rowOf(a)} - rowOf(b);
  return dx * dx + dy * dy < int64_t{separationUp};
}

}  // namespace

void sortByRank(std::vector<shared::Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.place < b.place);
  });
}

std::vector<shared::Candidate> acceptPeaks(std::span<const shared::Candidate> ranked,
                                           double separation) {
  const uint32_t separationUp = squaredUp(separation);
  // A cell is as wide as the separation, so what is too near lies in the cell or beside it.
  const uint32_t cell = std::max(
      static_cast<uint32_t>(std::ceil(std::sqrt(static_cast<double>(separationUp)))), kLeastCell);
  std::unordered_map<uint32_t, std::vector<shared::Candidate>> cells;
  std::vector<shared::Candidate> accepted;
  for (const shared::Candidate& own : ranked) {
    const uint32_t x = columnOf(own) / cell + 1, y = rowOf(own) / cell + 1;
    const auto isTaken = [&](uint32_t key) {
      const auto there = cells.find(key);
      return there != cells.end() &&
             std::any_of(there->second.begin(), there->second.end(),
                         [&](const auto& other) { return tooNear(own, other, separationUp); });
    };
    bool taken = false;
    for (uint32_t row = y - 1; row <= y + 1 && !taken; ++row)
      for (uint32_t column = x - 1; column <= x + 1 && !taken; ++column)
        taken = isTaken(row << 16 | column);
    if (taken) continue;
    cells[y << 16 | x].push_back(own);
    accepted.push_back(own);
  }
  return accepted;
}

}  // namespace glint
