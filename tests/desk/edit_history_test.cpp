// Tests undo and redo of edits of tracks.
#include "app/shell/desk/edit_history.h"

#include <gtest/gtest.h>

namespace glint {
namespace {

output::TrackEdit edit(output::EditKind kind, uint64_t frame) {
  return {.kind = kind, .at = {CameraIndex(), FrameNumber(frame), 1, 2}};
}

TEST(EditHistory, UndoAndRedoHaveNames) {
  shell::EditHistory history;
  EXPECT_FALSE(history.undo());
  history.add(edit(output::EditKind::hide, 0), "hide 1");
  history.add(edit(output::EditKind::remove, 0), "delete 2");
  EXPECT_EQ(history.undoName(), "delete 2");
  EXPECT_TRUE(history.undo());
  EXPECT_EQ(history.redoName(), "delete 2");
  EXPECT_EQ(history.undoName(), "hide 1");
  EXPECT_EQ(history.now().edits.size(), 1);
  EXPECT_TRUE(history.redo());
  EXPECT_EQ(history.now().edits.size(), 2);
  EXPECT_TRUE(history.undo());
  history.removeAt(0, "without hide");
  EXPECT_FALSE(history.canRedo());
  EXPECT_TRUE(history.now().empty());
  const uint64_t revision = history.revision();
  history.become({}, "nothing");
  EXPECT_EQ(history.revision(), revision);
  EXPECT_EQ(history.undoName(), "without hide");
}

TEST(EditHistory, OnlySoManyStepsAreKept) {
  shell::EditHistory history;
  for (size_t i = 0; i < shell::EditHistory::kDeepest + 5; ++i)
    history.add(edit(output::EditKind::hide, i), "hide");
  size_t steps = 0;
  while (history.undo()) ++steps;
  EXPECT_EQ(steps, shell::EditHistory::kDeepest);
  EXPECT_EQ(history.now().edits.size(), 5);
}

}  // namespace
}  // namespace glint
