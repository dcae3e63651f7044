// Tests undo and redo of settings, and the file of the history.
#include "app/shell/desk/settings_history.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

Settings with(const std::vector<std::string>& assignments) {
  Settings settings;
  for (const std::string& text : assignments) setFromText(settings, text, "test");
  return settings;
}

TEST(SettingsHistory, StepsHaveNames) {
  shell::SettingsHistory history{Settings()};
  EXPECT_FALSE(history.canUndo());
  EXPECT_EQ(history.undoName(), "");
  history.edit(with({"detect.threshold=0.42"}), 0);
  EXPECT_EQ(history.undoName(), "Threshold 0.42");
  history.edit(with({"detect.threshold=0.42", "refine.radius=5", "track.confirm=2"}), 1);
  EXPECT_EQ(history.undoName(), "2 settings");
  history.edit(Settings(), 2, "reset");
  EXPECT_EQ(history.undoName(), "reset");
  EXPECT_TRUE(history.undo());
  EXPECT_EQ(history.redoName(), "reset");
  EXPECT_EQ(history.now().refine.radius, 5);
}

TEST(SettingsHistory, StepsOfFiltersHaveNames) {
  const auto filtered = [](double sigma) {
    Settings settings;
    settings.filters = {{.id = "low", .name = "gaussian", .values = {{"sigma", {sigma}}}}};
    return settings;
  };
  shell::SettingsHistory history{Settings()};
  history.edit(filtered(2), 0);
  EXPECT_EQ(history.undoName(), "filter low added");
  history.edit(filtered(3.5), 10);
  EXPECT_EQ(history.undoName(), "filter low sigma 3.5");
  history.edit(Settings(), 20);
  EXPECT_EQ(history.undoName(), "filter low taken out");
}

TEST(SettingsHistory, TheOrderOfFiltersIsAStep) {
  const FilterUse low{.id = "low", .name = "gaussian"}, plain{.id = "plain", .name = "invert"};
  Settings settings;
  shell::SettingsHistory history{settings};
  for (const FilterUses& uses : {FilterUses{low, plain}, FilterUses{plain, low}}) {
    settings.filters = uses;
    history.edit(settings, 0);
  }
  EXPECT_EQ(history.undoName(), "order of filters");
  EXPECT_TRUE(history.undo());
  EXPECT_EQ(history.now().filters.front().id, "low");
  settings.filters = {plain, low};  // The filter `plain` has no parameters.
  history.edit(settings, 10);
  settings.filters.back().inputs = {{"input", "source"}};
  history.edit(settings, 15);
  EXPECT_EQ(history.undoName(), "filter low input source");
  settings.filters.erase(settings.filters.begin());
  history.edit(settings, 20);
  EXPECT_EQ(history.undoName(), "filter plain taken out");
}

TEST(SettingsHistory, NamesAreAsAPersonWouldWriteThem) {
  shell::SettingsHistory history{Settings()};
  history.edit(with({"detect.threshold=0.1843137254901961"}), 0);
  EXPECT_EQ(history.undoName(), "Threshold 0.1843");
  history.edit(Settings(), 10);
  EXPECT_EQ(history.undoName(), "Threshold auto");
}

TEST(SettingsHistory, UndoAndRedoWalkThroughEveryStep) {
  shell::SettingsHistory history{Settings()};
  for (int radius = 1; radius <= 5; ++radius) {
    Settings next = history.now();
    next.refine.radius = radius;
    history.edit(next, radius * 10.0);
  }
  for (int radius = 4; radius >= 0; --radius) {
    EXPECT_TRUE(history.undo());
    EXPECT_EQ(history.now().refine.radius, radius);
  }
  EXPECT_FALSE(history.undo());
  for (int radius = 1; radius <= 5; ++radius) {
    EXPECT_TRUE(history.redo());
    EXPECT_EQ(history.now().refine.radius, radius);
  }
  EXPECT_FALSE(history.redo());
}

TEST(SettingsHistory, AnEditForgetsWhatWasUndone) {
  shell::SettingsHistory history{Settings()};
  history.edit(with({"refine.radius=5"}), 0);
  history.undo();
  history.edit(with({"track.confirm=7"}), 1);
  EXPECT_FALSE(history.canRedo());
  EXPECT_TRUE(history.undo());
  EXPECT_TRUE(shell::changedKeys(history.now(), Settings()).empty());
}

TEST(SettingsHistory, QuickEditsOfOneKeyAreOneStep) {
  shell::SettingsHistory history{Settings()};
  for (int i = 1; i <= 50; ++i) {  // This is a single drag of 100 s.
    Settings next;
    next.detect.threshold = i / 100.0;
    history.edit(next, i * 2.0);
  }
  EXPECT_EQ(history.undoName(), "Threshold 0.5");
  EXPECT_TRUE(history.undo());
  EXPECT_FALSE(history.now().detect.threshold.has_value());
  EXPECT_FALSE(history.canUndo());
}

TEST(SettingsHistory, OtherKeysLongPausesReleasesAndUndoPartSteps) {
  shell::SettingsHistory history{Settings()};
  history.edit(with({"refine.radius=1"}), 0);
  // This change is early enough to continue the step.
  history.edit(with({"refine.radius=2"}), 3.0);
  history.edit(with({"refine.radius=3"}), 6.5);  // This change is too late and begins a new step.
  history.edit(with({"refine.radius=3", "track.confirm=9"}), 6.6);
  history.edit(with({"refine.radius=4", "track.confirm=9"}), 6.7);
  history.endStep();
  history.edit(with({"refine.radius=5", "track.confirm=9"}), 6.8);
  history.undo();  // The radius is 4 again.
  history.edit(with({"refine.radius=6", "track.confirm=9"}), 6.9);
  std::vector<int> seen;
  while (history.undo()) seen.push_back(history.now().refine.radius);
  EXPECT_EQ(seen, (std::vector<int>{4, 3, 3, 2, 0}));
}

TEST(SettingsHistory, ThereAndBackAgainIsNoStep) {
  shell::SettingsHistory history{Settings()};
  history.edit(with({"refine.radius=1"}), 0);
  history.edit(Settings(), 1);
  EXPECT_FALSE(history.canUndo());
  EXPECT_FALSE(history.unsaved());
  EXPECT_EQ(history.revision(), 2U);
}

TEST(SettingsHistory, HoldsAHundredSteps) {
  shell::SettingsHistory history{Settings()};
  for (int i = 1; i <= 150; ++i) {
    Settings next;
    next.track.maxGap = 1000 + i;
    history.edit(next, i * 10.0);
  }
  size_t steps = 0;
  while (history.undo()) ++steps;
  EXPECT_EQ(steps, shell::SettingsHistory::kDeepest);
  EXPECT_EQ(history.now().track.maxGap, 1050);
}

/// The history is compared with a plain list of all states and an index into it.
TEST(SettingsHistory, RandomEditsUndosAndRedosAgreeWithAList) {
  std::mt19937 random(7);
  shell::SettingsHistory history{Settings()};
  std::vector<int> states{0};
  size_t place = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto action = random() % 4;
    if (action < 2) {
      Settings next;
      do next.refine.radius = static_cast<int>(random() % 60);
      while (next.refine.radius == states[place]);
      history.edit(next, i * 10.0);
      states.resize(place + 1);
      states.push_back(next.refine.radius);
      if (states.size() > shell::SettingsHistory::kDeepest + 1) states.erase(states.begin());
      place = states.size() - 1;
    } else if (action == 2) {
      EXPECT_EQ(history.undo(), place > 0);
      place -= place > 0 ? 1 : 0;
    } else {
      EXPECT_EQ(history.redo(), place + 1 < states.size());
      place += place + 1 < states.size() ? 1 : 0;
    }
    ASSERT_EQ(history.now().refine.radius, states[place]);
  }
}

TEST(SettingsHistory, KnowsWhatIsUnsaved) {
  const test::Folder folder;
  const std::string file = folder / "a.toml";
  shell::SettingsHistory history{Settings()};
  EXPECT_FALSE(history.unsaved());
  history.edit(with({"refine.radius=1"}), 0);
  EXPECT_TRUE(history.unsaved());
  history.save(file);
  EXPECT_FALSE(history.unsaved());
  EXPECT_EQ(history.path(), file);
  history.undo();
  EXPECT_TRUE(history.unsaved()) << "the file holds other settings now";
  history.redo();
  EXPECT_FALSE(history.unsaved());
  EXPECT_THROW(history.save(folder / "missing/a.toml"), Error);
  EXPECT_EQ(history.path(), file);
}

TEST(SettingsHistory, WhatAnotherSessionBeginsWithIsNothingToSave) {
  shell::SettingsHistory history(with({"track.stitch_gap=0"}));
  history.goOnWith(with({"track.stitch_gap=2"}), 0);
  EXPECT_FALSE(history.unsaved());
  EXPECT_FALSE(history.canUndo()) << "the user has done nothing";
  history.edit(with({"track.stitch_gap=2", "refine.radius=5"}), 1);
  history.goOnWith(with({"track.stitch_gap=0", "refine.radius=5"}), 2);
  EXPECT_TRUE(history.unsaved()) << "the radius is not saved";
  EXPECT_TRUE(history.undo());
  EXPECT_EQ(history.now().track.stitchGap, 2);
}

TEST(SettingsHistory, LoadsWhatWasSavedAsOneStep) {
  const test::Folder folder;
  const std::string file = folder / "b.toml";
  shell::SettingsHistory first{
      with({"refine.radius=9", "detect.mask=\"m %d.png\"", "device.name=\"one\""})};
  first.save(file);
  shell::SettingsHistory second{with({"track.confirm=4", "device.name=\"two\""})};
  second.load(file, 0);
  EXPECT_EQ(shell::changedKeys(second.now(), first.now()), std::vector<std::string>{"device.name"});
  EXPECT_EQ(second.now().device.name, "two") << "it is in use";
  EXPECT_FALSE(second.unsaved());
  EXPECT_EQ(second.undoName(), "open b.toml");
  second.undo();
  EXPECT_EQ(second.now().track.confirm, 4);
  EXPECT_TRUE(second.unsaved());
}

TEST(SettingsHistory, ABrokenFileChangesNothing) {
  const test::Folder folder;
  const std::string file = folder / "c.toml";
  std::ofstream(file) << "[detect]\nseparation = 8\nthreshold = 7\n";
  shell::SettingsHistory history{with({"track.confirm=4"})};
  try {
    history.load(file, 0);
    ADD_FAILURE() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos) << error.what();
  }
  EXPECT_EQ(history.now().track.confirm, 4);
  EXPECT_EQ(history.now().detect.separation, Settings().detect.separation);
  EXPECT_FALSE(history.canUndo());
  EXPECT_EQ(history.path(), "");
}

}  // namespace
}  // namespace glint
