// The cheapest one-to-one matching between two sets when only some pairs are allowed.
#pragma once

#include <span>
#include <vector>

namespace glint::motion {

/// A pair that may be matched, and its cost.
struct AllowedPair {
  int row = 0, column = 0;
  double cost = 0;  ///< leaving both alone costs 0, so a pair of cost >= 0 is never taken
};

/// Returns the column of each of `rows` rows, or -1, so that the sum of the costs is least.
/// Rows are 0 to rows - 1, columns 0 to columns - 1, and costs finite; pairs may come in any order.
/// Among equal optima the lowest row, and then the lowest column, is preferred, whatever the order
/// of the pairs.
///
/// Shortest augmenting paths: R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for
/// dense and sparse linear assignment problems", Computing 38 (1987). A search never leaves the
/// rows and columns connected with its start, so separate groups cost no more than each group
/// alone; in the worst case O(rows * pairs * log(pairs)).
std::vector<int> assign(int rows, int columns, std::span<const AllowedPair> pairs);

}  // namespace glint::motion
