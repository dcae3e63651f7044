#include "app/motion/track/assignment.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace glint {
namespace {

using Matching = std::vector<int>;

double costOf(const Matching& matching, const std::vector<motion::AllowedPair>& pairs) {
  double sum = 0;
  for (size_t r = 0; r < matching.size(); ++r) {
    if (matching[r] < 0) continue;
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const motion::AllowedPair& p) {
      return p.row == static_cast<int>(r) && p.column == matching[r];
    });
    EXPECT_NE(pair, pairs.end()) << "row " << r << " got a column that was not allowed";
    if (pair != pairs.end()) sum += pair->cost;
  }
  return sum;
}

// Returns the least cost of all ways to match the rows from `row` on.
double bestCost(const std::vector<motion::AllowedPair>& pairs, int row, int rows,
                std::set<int>& taken) {
  if (row == rows) return 0;
  double best = bestCost(pairs, row + 1, rows, taken);
  for (const motion::AllowedPair& pair : pairs) {
    if (pair.row != row || !taken.insert(pair.column).second) continue;
    best = std::min(best, pair.cost + bestCost(pairs, row + 1, rows, taken));
    taken.erase(pair.column);
  }
  return best;
}

TEST(Assignment, EqualsTheBestOfAllMatchings) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const int rows = static_cast<int>(random() % 7), columns = static_cast<int>(random() % 7);
    std::vector<motion::AllowedPair> pairs;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        if (random() % 3 != 0) pairs.push_back({r, c, static_cast<double>(random() % 20) - 14});
    std::shuffle(pairs.begin(), pairs.end(), random);
    const Matching matching = motion::assign(rows, columns, pairs);
    ASSERT_EQ(matching.size(), static_cast<size_t>(rows));
    std::set<int> used;
    for (const int column : matching) EXPECT_TRUE(column < 0 || used.insert(column).second);
    std::set<int> taken;
    EXPECT_EQ(costOf(matching, pairs), bestCost(pairs, 0, rows, taken)) << "round " << round;
  }
}

TEST(Assignment, TiesGoToTheLowestRowThenColumn) {
  EXPECT_EQ(motion::assign(2, 1, std::vector<motion::AllowedPair>{{1, 0, -1}, {0, 0, -1}}),
            (Matching{0, -1}));
  EXPECT_EQ(motion::assign(1, 2, std::vector<motion::AllowedPair>{{0, 1, -1}, {0, 0, -1}}),
            (Matching{0}));
  EXPECT_EQ(
      motion::assign(
          2, 2, std::vector<motion::AllowedPair>{{1, 1, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, -1}}),
      (Matching{0, 1}));
}

TEST(Assignment, DoesNotDependOnTheOrderOfPairs) {
  std::mt19937 random(2);
  std::vector<motion::AllowedPair> pairs;
  for (int r = 0; r < 60; ++r)
    for (int c = 0; c < 60; ++c)
      if (random() % 4 == 0) pairs.push_back({r, c, -static_cast<double>(random() % 5)});
  const Matching matching = motion::assign(60, 60, pairs);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    EXPECT_EQ(motion::assign(60, 60, pairs), matching);
  }
}

TEST(Assignment, WorthlessPairsAreNotTaken) {
  EXPECT_EQ(motion::assign(2, 2, std::vector<motion::AllowedPair>{{0, 0, 0}, {1, 1, 2.5}}),
            (Matching{-1, -1}));
  EXPECT_EQ(motion::assign(0, 3, {}), Matching{});
  EXPECT_EQ(motion::assign(3, 0, {}), (Matching{-1, -1, -1}));
}

TEST(Assignment, ARowGivesWayWhenTheSumGains) {
  // Column 0 is the best for row 0, but the only one for row 1.
  const std::vector<motion::AllowedPair> pairs{{0, 0, -5}, {0, 1, -4}, {1, 0, -3}};
  EXPECT_EQ(motion::assign(2, 2, pairs), (Matching{1, 0}));
}

}  // namespace
}  // namespace glint
