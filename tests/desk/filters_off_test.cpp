// Tests that undo and redo also restore which filters are switched off.
#include "app/shell/desk/filters_off.h"

#include <gtest/gtest.h>

namespace glint {
namespace {

std::vector<std::string> idsAt(const shell::FiltersOff& off, double place, const FilterUses& on) {
  std::vector<std::string> ids;
  for (const auto& [before, use] : off.at(place, on)) ids.push_back(use.id);
  return ids;
}

const FilterUse kLow{.id = "low", .name = "gaussian"}, kEven{.id = "even", .name = "median"};
using Ids = std::vector<std::string>;

TEST(FiltersOff, FollowTheHistory) {
  shell::FiltersOff off;
  EXPECT_EQ(idsAt(off, -1, {}), Ids());
  off.put(10, 20, {{0, kLow}});  // The filter was added at step 10 and switched off at step 20.
  EXPECT_EQ(idsAt(off, 20, {}), Ids{"low"});
  EXPECT_EQ(idsAt(off, 25, {}), Ids{"low"}) << "a step that has nothing to do with filters";
  EXPECT_EQ(idsAt(off, 10, {kLow}), Ids()) << "undone";
  EXPECT_EQ(idsAt(off, -1, {}), Ids()) << "before it was added";
  EXPECT_EQ(idsAt(off, 20, {}), Ids{"low"}) << "done again";
}

TEST(FiltersOff, WhatIsOnIsNotOff) {
  shell::FiltersOff off;
  off.put(-1, 20, {{0, kLow}, {0, kEven}});
  EXPECT_EQ(idsAt(off, 30, {kLow}), Ids{"even"});
}

TEST(FiltersOff, ANewStepForgetsWhatWasUndone) {
  shell::FiltersOff off;
  off.put(10, 20, {{0, kLow}});
  off.put(20, 30, {{0, kLow}, {0, kEven}});
  off.put(10, 40, {{0, kEven}});
  EXPECT_EQ(idsAt(off, 40, {}), Ids{"even"});
  EXPECT_EQ(idsAt(off, 35, {}), Ids());
}

TEST(FiltersOff, MovingAFilterThatIsOffIsNoStep) {
  shell::FiltersOff off;
  off.put(10, 20, {{0, kLow}});
  off.put(20, 30, {{0, kLow}, {0, kEven}});
  off.put(20, 20, {{1, kLow}});  // The following step has been undone.
  EXPECT_EQ(idsAt(off, 30, {}), (Ids{"low", "even"}));
  ASSERT_EQ(off.at(20, {}).size(), 1u);
  EXPECT_EQ(off.at(20, {}).front().first, 1u);
}

}  // namespace
}  // namespace glint
