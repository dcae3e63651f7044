// Sorts places into square cells, so that the neighbours of a place are found without searching
// through all places.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint::motion {

/// A place in the grid.
struct GridPlace {
  double x = 0, y = 0;  ///< px
};

/// A grid with about as many cells as places. The size of its cells affects the speed only.
class PlaceGrid {
 public:
  /// Sorts the places into cells. Places that are not finite are never found.
  explicit PlaceGrid(std::span<const GridPlace> places);

  /// Calls visit(i), in any order, for each place i with |dx| <= reachX and |dy| <= reachY (px)
  /// from `from`. Returns the number of places that it compared.
  template <class Visit>
  size_t around(const GridPlace& from, double reachX, double reachY, Visit&& visit) const {
    if (entries_.empty()) return 0;
    const size_t left = columnOf(from.x - reachX), right = columnOf(from.x + reachX);
    const size_t end = rowOf(from.y + reachY) + 1;
    size_t compared = 0;
    for (size_t row = rowOf(from.y - reachY); row < end; ++row) {
      const size_t first = starts_[row * columns_ + left];
      const size_t last = starts_[row * columns_ + right + 1];
      compared += last - first;
      for (size_t k = first; k < last; ++k) {
        const Entry& entry = entries_[k];
        if (std::abs(entry.place.x - from.x) <= reachX &&
            std::abs(entry.place.y - from.y) <= reachY)
          visit(entry.number);
      }
    }
    return compared;
  }

  /// Returns the side of a cell, px.
  double side() const { return side_; }

 private:
  struct Entry {
    GridPlace place;
    size_t number;
  };
  size_t cellOf(double from, size_t cells) const;
  size_t columnOf(double x) const { return cellOf(x - left_, columns_); }
  size_t rowOf(double y) const { return cellOf(y - top_, rows_); }

  double left_ = 0, top_ = 0, side_ = 1;  // px
  size_t columns_ = 1, rows_ = 1;
  // The first entry of each cell, row by row, and the end of the last.
  std::vector<size_t> starts_;
  std::vector<Entry> entries_;
};

}  // namespace glint::motion
