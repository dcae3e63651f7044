// Finds places that are near to a place, among thousands.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

/// A place in an image, px, and its index in a list of the caller's.
struct Spot {
  float x = 0, y = 0;
  uint32_t index = 0;
};

/// Spots that are sorted into square cells. Making it and asking for the neighbours of all spots
/// takes time in proportion to their number, as long as few are near each other.
class SpotGrid {
 public:
  /// `reach`: the distance along each axis for which near() can be asked, px, above 0.
  SpotGrid(std::span<const Spot> spots, double reach) : side_(reach) {
    if (spots.empty()) return;
    const auto [left, right] = std::ranges::minmax(spots, {}, &Spot::x);
    const auto [top, bottom] = std::ranges::minmax(spots, {}, &Spot::y);
    left_ = left.x;
    top_ = top.y;
    const double width = double{right.x} - left_, height = double{bottom.y} - top_;
    // More cells than spots would only cost time.
    side_ = std::max(reach, std::sqrt(width * height / static_cast<double>(spots.size())));
    side_ = std::max(side_, std::max(width, height) / static_cast<double>(spots.size()));
    columns_ = static_cast<size_t>(width / side_) + 1;
    rows_ = static_cast<size_t>(height / side_) + 1;
    // A counting sort: the begin of each cell, and then its spots.
    begins_.assign(columns_ * rows_ + 1, 0);
    for (const Spot& spot : spots) ++begins_[cellOf(spot) + 1];
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    spots_.resize(spots.size());
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (const Spot& spot : spots) spots_[next[cellOf(spot)]++] = spot;
  }

  /// Calls visit(const Spot&) for every spot that is less than `reach` away from (x, y) along each
  /// axis, in any order. `reach` is at most that of the constructor.
  template <class Visit>
  void near(float x, float y, double reach, const Visit& visit) const {
    if (spots_.empty()) return;
    const size_t left = columnOf(x - reach), right = columnOf(x + reach);
    const size_t top = rowOf(y - reach), bottom = rowOf(y + reach);
    for (size_t row = top; row <= bottom; ++row) {
      // The cells of a row follow each other.
      const uint32_t from = begins_[row * columns_ + left],
                     to = begins_[row * columns_ + right + 1];
      for (uint32_t i = from; i < to; ++i) {
        const Spot& spot = spots_[i];
        if (std::abs(double{spot.x} - x) < reach && std::abs(double{spot.y} - y) < reach)
          visit(spot);
      }
    }
  }

 private:
  size_t columnOf(double x) const { return along(x - left_, columns_); }
  size_t rowOf(double y) const { return along(y - top_, rows_); }
  size_t along(double distance, size_t cells) const {
    return static_cast<size_t>(std::clamp(distance / side_, 0.0, static_cast<double>(cells - 1)));
  }
  size_t cellOf(const Spot& spot) const { return rowOf(spot.y) * columns_ + columnOf(spot.x); }

  double left_ = 0, top_ = 0, side_;  // px: the first cell's corner, and the side of a cell
  size_t columns_ = 0, rows_ = 0;
  std::vector<uint32_t> begins_;  // index in spots_ of each cell's first spot, and the end
  std::vector<Spot> spots_;       // cell by cell
};

}  // namespace glint::gpu
