#include "app/motion/calibrate/still_lights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace glint::motion {
namespace {

using Cell = std::pair<long, long>;

/// Returns the cell of the image that a dot is in. A dot that stands still stays within one cell
/// and its neighbours.
Cell cellOf(const Dot& dot) {
  // Side of a cell, px: several times the noise of a dot. Raising it takes slowly moving lights for
  // still ones.
  constexpr double kSide = 2;
  return {std::lround(dot.at.x() / kSide), std::lround(dot.at.y() / kSide)};
}

/// Returns for each cell of a camera's image the number of moments with dots in it.
std::map<Cell, size_t> countCells(const LightRecording& recording, size_t camera) {
  std::map<Cell, size_t> counts;
  for (const Moment& moment : recording.moments) {
    std::vector<Cell> cells;
    for (const Dot& dot : moment.views[camera].dots) cells.push_back(cellOf(dot));
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    for (const Cell& cell : cells) ++counts[cell];
  }
  return counts;
}

/// Returns the sum of the counts of a cell and its eight neighbours.
size_t countAround(const std::map<Cell, size_t>& counts, const Cell& cell) {
  size_t sum = 0;
  for (long x = cell.first - 1; x <= cell.first + 1; ++x)
    for (long y = cell.second - 1; y <= cell.second + 1; ++y)
      if (const auto at = counts.find({x, y}); at != counts.end()) sum += at->second;
  return sum;
}

/// Removes the dots of one camera that stand still. Returns true if there were any.
bool removeStill(LightRecording& recording, size_t camera) {
  // Share of the moments with any dots in which a place must be occupied to count as standing
  // still. Raising it takes fewer lights for still ones.
  constexpr double kShare = 0.3;
  const auto counts = countCells(recording, camera);
  const auto seeing =
      std::count_if(recording.moments.begin(), recording.moments.end(),
                    [&](const Moment& moment) { return !moment.views[camera].dots.empty(); });
  const auto most = static_cast<size_t>(kShare * static_cast<double>(seeing));
  bool any = false;
  for (Moment& moment : recording.moments)
    any = std::erase_if(moment.views[camera].dots,
                        [&](const Dot& dot) { return countAround(counts, cellOf(dot)) > most; }) >
              0 ||
          any;
  return any;
}

}  // namespace

std::vector<size_t> removeStillLights(LightRecording& recording) {
  std::vector<size_t> cameras;
  for (size_t c = 0; c < recording.sizes.size(); ++c)
    if (removeStill(recording, c)) cameras.push_back(c);
  return cameras;
}

}  // namespace glint::motion
