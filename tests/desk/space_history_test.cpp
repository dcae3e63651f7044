// Tests the history of a recording's points while they become known.
#include "app/shell/desk/space_history.h"

#include <gtest/gtest.h>

#include "app/motion/frame/frame.h"

namespace glint {
namespace {

/// Returns the frame of a set in which the rows of the sets `of` become final.
motion::FramePtr spaceFrameOf(uint64_t set, const std::vector<uint64_t>& of) {
  motion::SpaceFrame space;
  for (const uint64_t frame : of) {
    space.finalised.emplace_back().frame = frame;
    space.finalised.back().point = 1;
  }
  space.poses.emplace_back().frame = set;
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(set);
  frame->results.put(std::move(space));
  return frame;
}

TEST(SpaceHistory, KnowsSetsWhoseRowsAreFinalWhileItGrows) {
  shell::SpaceHistory history;
  // A point gets its id in its third set. Only then do the rows of the first two sets exist.
  for (uint64_t set = 0; set < 2; ++set) history.accept(spaceFrameOf(set, {}));
  EXPECT_FALSE(history.knows(SetIndex(0)));
  history.accept(spaceFrameOf(2, {0, 1, 2}));
  EXPECT_TRUE(history.knows(SetIndex(0)));
  EXPECT_TRUE(history.knows(SetIndex(2)));
  EXPECT_FALSE(history.knows(SetIndex(3)));
  EXPECT_FALSE(history.whole());
  EXPECT_EQ(history.rows(SetIndex(0)).size(), 1U);
  EXPECT_EQ(history.poses(SetIndex(1)).size(), 1U);
  history.conclude();
  EXPECT_TRUE(history.knows(SetIndex(3)));
  EXPECT_TRUE(history.rows(SetIndex(3)).empty());
}

}  // namespace
}  // namespace glint
