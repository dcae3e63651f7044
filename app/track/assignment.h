// The cheapest one-to-one matching between two sets when only some pairs are allowed.
#pragma once

#include <span>
#include <vector>

namespace glint {

/// A pair that may be matched, and what is gained by it.
struct AllowedPair {
  int row = 0, column = 0;
  double cost =
      0;  ///< against leaving both alone, which costs 0; a pair of cost >= 0 is never taken
};

/// The column of each of `rows` rows, or -1, so that the summed cost is least.
/// Rows are 0 to rows - 1, columns 0 to columns - 1, costs finite; pairs in any order.
/// Equal optima are decided for the lowest row, then the lowest column, whatever the pairs' order.
///
/// Shortest augmenting paths: R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for
/// dense and sparse linear assignment problems", Computing 38 (1987). A search never leaves the
/// rows and columns connected with its start, so separate groups cost no more than each group
/// alone; in the worst case O(rows * pairs * log(pairs)).
std::vector<int> assign(int rows, int columns, std::span<const AllowedPair> pairs);

}  // namespace glint
