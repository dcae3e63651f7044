#include "app/motion/track/place_grid.h"

#include <algorithm>
#include <cmath>

namespace glint::motion {
namespace {

// Side of the smallest cells, px. Raising it compares more places in each cell.
constexpr double kMinCell = 1;
// Limit of coordinates, px. Places that are farther out share the outermost cells.
constexpr double kFarthest = 1e9;

bool isSomewhere(const GridPlace& place) {
  return std::isfinite(place.x) && std::isfinite(place.y);
}

}  // namespace

PlaceGrid::PlaceGrid(std::span<const GridPlace> places) {
  left_ = top_ = kFarthest;
  double right = -kFarthest, bottom = -kFarthest;
  size_t count = 0;
  for (const GridPlace& place : places) {
    if (!isSomewhere(place)) continue;
    left_ = std::clamp(place.x, -kFarthest, left_);
    right = std::clamp(place.x, right, kFarthest);
    top_ = std::clamp(place.y, -kFarthest, top_);
    bottom = std::clamp(place.y, bottom, kFarthest);
    ++count;
  }
  if (count == 0) return;
  const double width = right - left_, height = bottom - top_, number = static_cast<double>(count);
  side_ = std::max(
      {std::sqrt(width / number) * std::sqrt(height), std::max(width, height) / number, kMinCell});
  columns_ = static_cast<size_t>(width / side_) + 1;
  rows_ = static_cast<size_t>(height / side_) + 1;

  starts_.assign(columns_ * rows_ + 1, 0);
  const auto cell = [&](const GridPlace& place) {
    return rowOf(place.y) * columns_ + columnOf(place.x);
  };
  for (const GridPlace& place : places)
    if (isSomewhere(place)) ++starts_[cell(place) + 1];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  entries_.resize(count);
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (size_t i = 0; i < places.size(); ++i)
    if (isSomewhere(places[i])) entries_[next[cell(places[i])]++] = {places[i], i};
}

// Returns the cell that is `from` px behind the start of the first one. Places outside belong to
// the first or the last cell.
size_t PlaceGrid::cellOf(double from, size_t cells) const {
  const double cell = from / side_;
  if (!(cell > 0)) return 0;
  return cell < static_cast<double>(cells) ? static_cast<size_t>(cell) : cells - 1;
}

}  // namespace glint::motion
