#include "app/motion/track/assignment.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

namespace glint::motion {
namespace {

constexpr int kNobody = -1;
constexpr double kUnreached = std::numeric_limits<double>::infinity();

// Solves one assignment problem. The last `rows` columns stand for "this row stays unassigned", so
// that every row can be assigned. Their order is reversed, so that of several equal rows the last
// one stays unassigned.
class Solver {
 public:
  Solver(int rows, int columns, std::span<const AllowedPair> pairs)
      : columns_(columns),
        first_(static_cast<size_t>(rows) + 1, 0),
        rowPrice_(static_cast<size_t>(rows), 0),
        columnPrice_(static_cast<size_t>(columns + rows), 0),
        rowOf_(static_cast<size_t>(columns + rows), kNobody),
        columnOf_(static_cast<size_t>(rows), kNobody),
        distance_(static_cast<size_t>(columns + rows), kUnreached),
        cameFrom_(static_cast<size_t>(columns + rows), kNobody) {
    for (const AllowedPair& pair : pairs)
      if (pair.cost < 0) edges_.push_back(pair);
    std::sort(edges_.begin(), edges_.end(), [](const AllowedPair& a, const AllowedPair& b) {
      return std::tie(a.row, a.column, a.cost) < std::tie(b.row, b.column, b.cost);
    });
    for (const AllowedPair& edge : edges_) ++first_[static_cast<size_t>(edge.row) + 1];
    for (size_t r = 0; r + 1 < first_.size(); ++r) first_[r + 1] += first_[r];
  }

  std::vector<int> solve() {
    for (int row = 0; row < static_cast<int>(columnOf_.size()); ++row) augment(row);
    for (int& column : columnOf_)
      if (column >= columns_) column = kNobody;
    return std::move(columnOf_);
  }

 private:
  // Distance, true if the column is assigned (an unassigned one ends the search), and column.
  using Reached = std::tuple<double, bool, int>;
  using Frontier = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

  std::span<const AllowedPair> edgesOf(int row) const {
    const size_t r = static_cast<size_t>(row);
    return std::span(edges_).subspan(first_[r], first_[r + 1] - first_[r]);
  }

  void reach(Frontier& frontier, int row, int column, double distance) {
    const size_t c = static_cast<size_t>(column);
    if (distance >= distance_[c]) return;
    if (distance_[c] == kUnreached) touched_.push_back(column);
    distance_[c] = distance;
    cameFrom_[c] = row;
    frontier.emplace(distance, rowOf_[c] != kNobody, column);
  }

  void expand(Frontier& frontier, int row, double base) {
    const double price = rowPrice_[static_cast<size_t>(row)];
    for (const AllowedPair& edge : edgesOf(row)) {
      const double reduced = edge.cost - price - columnPrice_[static_cast<size_t>(edge.column)];
      reach(frontier, row, edge.column, base + std::max(reduced, 0.0));
    }
    const int own = static_cast<int>(columnPrice_.size()) - 1 - row;
    const double alone = -price - columnPrice_[static_cast<size_t>(own)];
    reach(frontier, row, own, base + std::max(alone, 0.0));
  }

  // Assigns row `start` by a Dijkstra search over reduced costs for the nearest free column.
  void augment(int start) {
    double& price = rowPrice_[static_cast<size_t>(start)];
    for (const AllowedPair& edge : edgesOf(start))
      price = std::min(price, edge.cost - columnPrice_[static_cast<size_t>(edge.column)]);

    Frontier frontier;
    std::vector<int> settled;
    expand(frontier, start, 0);
    int end = kNobody;
    while (end == kNobody) {
      const auto [distance, taken, column] = frontier.top();
      frontier.pop();
      if (distance > distance_[static_cast<size_t>(column)]) continue;
      if (!taken) {
        end = column;
      } else {
        settled.push_back(column);
        expand(frontier, rowOf_[static_cast<size_t>(column)], distance);
      }
    }
    reprice(start, settled, distance_[static_cast<size_t>(end)]);
    flip(start, end);
    for (int column : touched_) distance_[static_cast<size_t>(column)] = kUnreached;
    touched_.clear();
  }

  // Changes the prices of rows and columns so that the new assignment is optimal with them.
  void reprice(int start, const std::vector<int>& settled, double length) {
    rowPrice_[static_cast<size_t>(start)] += length;
    for (int column : settled) {
      const size_t c = static_cast<size_t>(column);
      columnPrice_[c] -= length - distance_[c];
      rowPrice_[static_cast<size_t>(rowOf_[c])] += length - distance_[c];
    }
  }

  // Changes the assignments along the path from `start` to the free column `end`.
  void flip(int start, int end) {
    int column = end;
    int row = kNobody;
    do {
      row = cameFrom_[static_cast<size_t>(column)];
      rowOf_[static_cast<size_t>(column)] = row;
      std::swap(column, columnOf_[static_cast<size_t>(row)]);
    } while (row != start);
  }

  int columns_;
  // Sorted by row, then column.
  std::vector<AllowedPair> edges_;
  // The first edge of each row in edges_, and the end of the last.
  std::vector<size_t> first_;
  std::vector<double> rowPrice_, columnPrice_;
  std::vector<int> rowOf_, columnOf_;
  // Distance to each column in the present search.
  std::vector<double> distance_;
  std::vector<int> cameFrom_, touched_;
};

}  // namespace

std::vector<int> assign(int rows, int columns, std::span<const AllowedPair> pairs) {
  return Solver(rows, columns, pairs).solve();
}

}  // namespace glint::motion
