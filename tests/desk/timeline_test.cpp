// Tests how a timeline sums up a recording's frames in columns.
#include "app/shell/desk/timeline.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/numbers.h"

namespace glint {
namespace {

TEST(Timeline, EveryFrameIsInAColumnAndEveryColumnHasOne) {
  for (const uint64_t frames : {1, 7, 300, 1000, 12345}) {
    for (const size_t columns : {1U, 10U, 640U, 1001U}) {
      const shell::TimeAxis axis{5, frames, columns};
      std::set<uint64_t> seen;
      for (size_t i = 0; i < columns; ++i) {
        const auto [begin, end] = axis.framesOf(i);
        EXPECT_LT(begin, end);
        EXPECT_GE(begin, 5U);
        EXPECT_LE(end, 5 + frames);
        for (uint64_t f = begin; f < end; ++f) seen.insert(f);
      }
      EXPECT_EQ(seen.size(), frames);
    }
  }
}

TEST(Timeline, ColumnsHoldTheLeastAndTheMostOfTheirFrames) {
  std::mt19937 random(2);
  std::vector<uint32_t> counts(1234);
  for (uint32_t& count : counts) count = static_cast<uint32_t>(random() % 50);
  const shell::TimeAxis axis{0, 2000, 333};
  const auto columns = shell::timelineColumns(axis, counts);
  ASSERT_EQ(columns.size(), 333U);
  for (size_t i = 0; i < columns.size(); ++i) {
    shell::TimelineColumn expected{UINT32_MAX, 0, false};
    const auto [begin, end] = axis.framesOf(i);
    for (uint64_t f = begin; f < std::min<uint64_t>(end, counts.size()); ++f)
      expected = {std::min(expected.least, counts[f]), std::max(expected.most, counts[f]), true};
    if (!expected.known) expected = {};
    EXPECT_EQ(columns[i], expected) << i;
  }
}

TEST(Timeline, TracksThatAreOverLeaveTheirRow) {
  const auto stretch = [](uint64_t track, uint64_t first, uint64_t last) {
    return session::TrackStretch{TrackId(track), SetIndex(first), SetIndex(last)};
  };
  const std::vector<session::TrackStretch> stretches{stretch(1, 0, 9),   stretch(2, 3, 5),
                                                     stretch(1, 20, 30), stretch(3, 6, 8),
                                                     stretch(4, 31, 40), stretch(5, 100, 110)};
  const auto bars = shell::timelineBars({0, 50, 100}, stretches);
  ASSERT_EQ(bars.size(), 5U) << "track 5 is outside";
  const auto rowOf = [&](uint64_t track) {
    std::set<size_t> rows;
    for (const shell::TimelineBar& bar : bars)
      if (bar.stretch.track == track) rows.insert(bar.row);
    EXPECT_EQ(rows.size(), 1U);
    return *rows.begin();
  };
  EXPECT_EQ(rowOf(1), 0U);
  EXPECT_EQ(rowOf(2), 1U);
  EXPECT_EQ(rowOf(3), 1U) << "after track 2; track 1 comes back in its row";
  EXPECT_EQ(rowOf(4), 0U);
}

}  // namespace
}  // namespace glint
