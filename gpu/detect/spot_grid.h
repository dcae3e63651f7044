// Finds the pairs of places that are near to each other, among thousands.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint::gpu {

/// A place in an image, px, with how far it reaches, px, and its index in a list of the caller's.
struct Spot {
  float x = 0, y = 0;
  float reach = 0;
  uint32_t index = 0;
};

/// Spots that are sorted into square cells. Making it and visiting all pairs takes time in
/// proportion to the number of spots, as long as few are near each other.
class SpotGrid {
 public:
  /// `reach`: the distance of the pairs along each axis, px, above 0.
  SpotGrid(std::span<const Spot> spots, double reach) : reach_(reach) {
    if (spots.empty()) return;
    float right = spots[0].x, bottom = spots[0].y;
    left_ = spots[0].x;
    top_ = spots[0].y;
    for (const Spot& spot : spots) {
      left_ = std::min(left_, spot.x);
      right = std::max(right, spot.x);
      top_ = std::min(top_, spot.y);
      bottom = std::max(bottom, spot.y);
    }
    const double width = double{right} - left_, height = double{bottom} - top_;
    const auto count = static_cast<double>(spots.size());
    // More cells than spots would only cost time.
    const double side =
        std::max({reach, std::sqrt(width * height / count), width / count, height / count});
    perPixel_ = 1 / side;
    columns_ = static_cast<int>(width * perPixel_) + 1;
    rows_ = static_cast<int>(height * perPixel_) + 1;
    // A counting sort: the begin of each cell, and then its spots.
    std::vector<size_t> cells(spots.size());
    begins_.assign(cellAt(rows_, 0) + 1, 0);
    for (size_t i = 0; i < spots.size(); ++i) {
      cells[i] = cellAt(rowOf(spots[i].y), columnOf(spots[i].x));
      ++begins_[cells[i] + 1];
    }
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    spots_.resize(spots.size());
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (size_t i = 0; i < spots.size(); ++i) spots_[next[cells[i]]++] = spots[i];
  }

  /// Calls visit(const Spot&, const Spot&) once for every pair of spots that are less than `reach`
  /// away from each other along each axis, in any order.
  template <class Visit>
  void forEachPair(const Visit& visit) const {
    // Cell by cell, so that the memory of the neighbours is in the cache.
    for (int row = 0; row < rows_; ++row) {
      for (uint32_t i = begins_[cellAt(row, 0)]; i < begins_[cellAt(row + 1, 0)]; ++i) {
        const Spot& spot = spots_[i];
        const int left = columnOf(spot.x - reach_), right = columnOf(spot.x + reach_);
        const int bottom = rowOf(spot.y + reach_);
        visitFrom(spot, i + 1, begins_[cellAt(row, right) + 1], visit);
        for (int below = row + 1; below <= bottom; ++below)
          visitFrom(spot, begins_[cellAt(below, left)], begins_[cellAt(below, right) + 1], visit);
      }
    }
  }

 private:
  /// Visits the pairs of `spot` and those of spots `from` to `to` that are near it.
  template <class Visit>
  void visitFrom(const Spot& spot, uint32_t from, uint32_t to, const Visit& visit) const {
    for (uint32_t i = from; i < to; ++i) {
      const Spot& other = spots_[i];
      const double dx = std::abs(double{spot.x} - other.x), dy = std::abs(double{spot.y} - other.y);
      if (std::max(dx, dy) < reach_) visit(spot, other);
    }
  }

  int columnOf(double x) const { return along(x - left_, columns_); }
  int rowOf(double y) const { return along(y - top_, rows_); }
  int along(double distance, int cells) const {
    return static_cast<int>(std::clamp(distance * perPixel_, 0.0, double{cells - 1.0}));
  }
  size_t cellAt(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
  }

  double reach_;              // px
  float left_ = 0, top_ = 0;  // px, the corner of the first cell
  double perPixel_ = 0;       // cells per px
  int columns_ = 0, rows_ = 0;
  std::vector<uint32_t> begins_;  // index in spots_ of each cell's first spot, and the end
  std::vector<Spot> spots_;       // cell by cell
};

}  // namespace glint::gpu
