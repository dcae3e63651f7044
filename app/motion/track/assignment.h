// Finds the cheapest one-to-one assignment between two sets of which only some pairs are allowed.
#pragma once

#include <span>
#include <vector>

namespace glint::motion {

/// A pair that may be assigned, and its cost.
struct AllowedPair {
  int row = 0, column = 0;
  /// Leaving both unassigned costs 0, so a pair with a cost >= 0 is never used.
  double cost = 0;
};

/// Returns the column assigned to each of `rows` rows, or -1, so that the sum of the costs is
/// minimal. Rows are 0 to rows - 1, columns 0 to columns - 1, and costs finite. The order of the
/// pairs does not matter. Among equally good solutions, the one that assigns the lowest rows, and
/// to these the lowest columns, is returned.
///
/// Uses shortest augmenting paths: R. Jonker and A. Volgenant, "A shortest augmenting path
/// algorithm for dense and sparse linear assignment problems", Computing 38 (1987). A search never
/// leaves the rows and columns that are connected with its start, so separate groups cost no more
/// than each group alone. The worst case is O(rows * pairs * log(pairs)).
std::vector<int> assign(int rows, int columns, std::span<const AllowedPair> pairs);

}  // namespace glint::motion
