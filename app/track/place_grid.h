// Places by square cells, so that what lies around one is found without a look at all.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glint {

/// px.
struct GridPlace {
  double x = 0, y = 0;
};

/// About as many cells as places.
class PlaceGrid {
 public:
  /// Places that are not finite are never found.
  explicit PlaceGrid(std::span<const GridPlace> places);

  /// Calls look(i), in any order, for each place i with |dx| <= reachX and |dy| <= reachY from
  /// `from`. Returns how many places it compared with that.
  template <class Look>
  size_t around(const GridPlace& from, double reachX, double reachY, Look&& look) const {
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
          look(entry.number);
      }
    }
    return compared;
  }

  /// px, of a cell.
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
  std::vector<size_t> starts_;  // of each cell in entries_, row by row, and the end
  std::vector<Entry> entries_;
};

}  // namespace glint
