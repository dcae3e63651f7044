// Tests which set comes next. The transport runs alone, with an owner that only counts.
#include "app/session/transport.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/error.h"
#include "tests/numbers.h"

namespace glint {
namespace {

using Kind = session::Transport::Action::Kind;

/// An owner that does what the transport says, with a recording in which some sets may be missing.
class Owner {
 public:
  explicit Owner(const std::vector<uint64_t>& sets, bool paused = true)
      : transport({.live = false, .canSeek = true, .length = sets.back() + 1}, true), sets_(sets) {
    if (!paused) return;
    transport.pause();
    transport.showOne();
  }
  explicit Owner(uint64_t length) : Owner(counted(length)) {}

  /// Takes sets until nothing is left to be done, or `most` sets were taken.
  void run(size_t most = 1000) {
    for (size_t taken = 0; taken < most && !stopped && !transport.isIdle();) {
      const auto next = std::lower_bound(sets_.begin(), sets_.end(), place_);
      if (next == sets_.end()) {
        act(transport.reachEnd());
        continue;
      }
      place_ = *next + 1;
      const SetIndex fetched(*next);
      const session::Transport::Action action = transport.consider(fetched);
      act(action);
      if (action.kind != Kind::take) continue;
      transport.taken(fetched);
      shown = fetched;
      shownPass_ = transport.pass();
      all.push_back(*next);
      ++taken;
    }
  }

  void play() {
    if (const auto set = transport.play()) jump(*set);
  }
  void back(uint64_t frames) {
    const bool isPresent = shown && shownPass_ == transport.pass();
    const auto set = transport.stepBack(frames, isPresent ? shown : std::nullopt);
    if (set)
      jump(*set);
    else if (!transport.wantsSet())
      transport.pause();
  }
  void seek(uint64_t set) {
    transport.seek(SetIndex(set));
    jump(SetIndex(set));
  }
  void range(uint64_t in, std::optional<SetIndex> out) {
    act(transport.setRange(SetIndex(in), out, std::nullopt));
  }

  static std::vector<uint64_t> counted(uint64_t length) {
    std::vector<uint64_t> sets(length);
    for (uint64_t i = 0; i < length; ++i) sets[i] = i;
    return sets;
  }

  session::Transport transport;
  std::optional<SetIndex> shown;  ///< The last set that was taken.
  std::vector<uint64_t> all;      ///< All sets that were taken, in order.
  bool stopped = false;

 private:
  void jump(SetIndex set) {
    transport.endPass();
    transport.jumpTo(set);
    place_ = set.value();
  }
  void act(const session::Transport::Action& action) {
    if (action.kind == Kind::jump) jump(action.set);
    if (action.kind == Kind::stop) stopped = true;
    if (action.kind != Kind::rest) return;
    transport.endPass();
    transport.restAt(session::PlayMode::atEnd);
  }

  std::vector<uint64_t> sets_;
  uint64_t place_ = 0;
  Pass shownPass_;
};

std::string refusalOf(const std::function<void()>& command) {
  try {
    command();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Transport, PausedItShowsOneSetAndStepsAddUp) {
  Owner owner(20);
  owner.run();
  EXPECT_EQ(owner.all, (std::vector<uint64_t>{0}));
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::paused);
  owner.transport.step(2, "");
  owner.transport.step(3, "");
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(5));
  EXPECT_EQ(owner.all.size(), 6U);
  EXPECT_EQ(owner.transport.next(), 6);
}

TEST(Transport, AStepWhilePlayingPausesAfterIt) {
  Owner owner(Owner::counted(20), false);
  owner.run(4);
  owner.transport.step(2, "");
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::playing) << "until its last set was taken";
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(5));
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::paused);
}

TEST(Transport, AStepBackIsAJumpAndAnEpoch) {
  Owner owner(20);
  owner.transport.step(7, "");
  owner.run();
  ASSERT_EQ(owner.shown, SetIndex(7));
  owner.back(3);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(4));
  EXPECT_EQ(owner.transport.pass(), 1);
  EXPECT_EQ(owner.transport.epoch(), 1);
  owner.back(100);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(0)) << "there is nothing before";
}

TEST(Transport, AStepBackTakesBackStepsThatAreLeft) {
  Owner owner(20);
  owner.run();
  owner.transport.step(9, "");
  owner.run(2);
  ASSERT_EQ(owner.shown, SetIndex(2));
  owner.back(4);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(5));
  EXPECT_EQ(owner.transport.pass(), 0) << "no jump was necessary";
  owner.transport.step(3, "");
  owner.back(3);
  EXPECT_TRUE(owner.transport.isIdle());
  owner.transport.step(3, "");
  owner.back(5);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(3));
}

TEST(Transport, AStepBackFromASetThatIsStillToComeBeginsThere) {
  Owner owner(20);
  owner.run();
  owner.seek(12);
  owner.back(2);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(10));
}

TEST(Transport, AStepBackOverAGapShowsTheLastSetBeforeIt) {
  std::vector<uint64_t> sets{0, 1, 2, 3};
  for (uint64_t set = 40; set < 50; ++set) sets.push_back(set);
  Owner owner(sets);
  owner.seek(40);
  owner.run();
  ASSERT_EQ(owner.shown, SetIndex(40));
  owner.back(1);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(3));
  owner.back(1);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(2));
}

TEST(Transport, AStepBackWithNothingBeforeShowsTheFirstSetAgain) {
  Owner owner({30, 31, 32});
  owner.run();
  ASSERT_EQ(owner.shown, SetIndex(30));
  owner.back(1);
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(30));
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::paused);
}

TEST(Transport, OnlyTheRangeIsPlayed) {
  Owner owner(20);
  owner.run();
  owner.range(5, SetIndex(9));
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(5)) << "it begins there";
  EXPECT_NE(refusalOf([&] { owner.seek(15); }).find("outside the range, 5 to 9"),
            std::string::npos);
  owner.play();
  owner.run();
  EXPECT_EQ(owner.shown, SetIndex(9));
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::atEnd);
  EXPECT_EQ(refusalOf([&] { owner.transport.step(1, ""); }), "this is the end of the range");
  owner.play();
  owner.run(2);
  EXPECT_EQ(owner.shown, SetIndex(6)) << "play begins anew";
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::playing);
}

TEST(Transport, ALoopBeginsTheRangeAnew) {
  Owner owner(20);
  owner.run();
  owner.range(5, SetIndex(7));
  owner.transport.setLoop(true);
  owner.run();
  owner.all.clear();
  owner.play();
  owner.run(6);
  EXPECT_EQ(owner.all, (std::vector<uint64_t>{6, 7, 5, 6, 7, 5}));
}

TEST(Transport, ALoopOverNothingEnds) {
  Owner owner({0, 1, 2, 30}, false);
  owner.range(10, SetIndex(20));
  owner.transport.setLoop(true);
  owner.run();
  EXPECT_TRUE(owner.all.empty());
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::atEnd);
}

TEST(Transport, ALoopOverOnePictureEnds) {
  Owner owner(std::vector<uint64_t>{0}, false);
  owner.transport.setLoop(true);
  owner.run(6);
  EXPECT_EQ(owner.all, (std::vector<uint64_t>{0}));
  EXPECT_EQ(owner.transport.mode(), session::PlayMode::atEnd);
}

TEST(Transport, WithoutStayingTheEndEndsAll) {
  session::Transport transport({.canSeek = true, .length = 2}, false);
  EXPECT_EQ(transport.reachEnd().kind, Kind::stop);
  EXPECT_EQ(session::Transport({.live = true}, true).reachEnd().kind, Kind::stop);
}

TEST(Transport, WhatCannotSeekSaysSoAndStaysAsItWas) {
  session::Transport transport({.live = true}, true);
  EXPECT_NE(refusalOf([&] { transport.seek(SetIndex(1)); }).find("a jump needs recordings"),
            std::string::npos);
  EXPECT_NE(refusalOf([&] { transport.setLoop(true); }), "");
  EXPECT_NE(refusalOf([&] { transport.stepBack(1, SetIndex(3)); }), "");
  EXPECT_NE(refusalOf([&] { transport.setRange(SetIndex(0), {}, {}); }), "");
  transport.restAt(session::PlayMode::failed);
  EXPECT_NE(refusalOf([&] { transport.play(); }), "");
  EXPECT_EQ(transport.mode(), session::PlayMode::failed);
  EXPECT_FALSE(transport.playing());
  EXPECT_EQ(refusalOf([&] { transport.step(1, "the cable is loose"); }),
            "it stopped here (the cable is loose); seek or play first");
}

TEST(Transport, NumbersThatCannotBeAreRefused) {
  Owner owner(24);
  session::Transport& transport = owner.transport;
  EXPECT_EQ(refusalOf([&] { transport.seek(SetIndex(24)); }),
            "there is no frame 24: the recording has 24");
  EXPECT_NE(refusalOf([&] { transport.step((uint64_t{1} << 53) + 1, ""); }), "");
  EXPECT_NE(refusalOf([&] { transport.setRange(SetIndex(9), SetIndex(3), {}); }), "");
  EXPECT_NE(refusalOf([&] { transport.setRange(SetIndex(9), SetIndex(UINT64_MAX), {}); }), "");
  for (const double speed : {1e-12, -1.0, 1001.0})
    EXPECT_NE(refusalOf([&] { transport.setSpeed(speed); }), "") << speed;
  EXPECT_EQ(transport.in(), 0);
  EXPECT_FALSE(transport.out());
}

TEST(Transport, SetsAreDueAtTheSpeedThatWasAskedFor) {
  using std::chrono::milliseconds;
  session::Transport transport({.canSeek = true, .length = 100}, true);
  const session::Transport::Clock::time_point now{milliseconds(5000)};
  EXPECT_FALSE(transport.due(3.0, now)) << "as fast as possible";
  transport.setSpeed(2);
  EXPECT_EQ(transport.due(3.0, now), now);
  EXPECT_EQ(transport.due(3.5, now + milliseconds(7)), now + milliseconds(250));
  transport.endPass();
  EXPECT_EQ(transport.due(9.0, now + milliseconds(50)), now + milliseconds(50)) << "a new zero";
  transport.pause();
  EXPECT_FALSE(transport.due(9.5, now));
}

TEST(Transport, ASplitPassGoesOnAndBeginsElsewhere) {
  Owner owner(Owner::counted(20), false);
  owner.run(5);
  owner.transport.splitPass(owner.transport.next());
  EXPECT_EQ(owner.transport.pass(), 1);
  EXPECT_EQ(owner.transport.epoch(), 1);
  owner.run(1);
  EXPECT_EQ(owner.shown, SetIndex(5));
  owner.transport.startEpoch();
  EXPECT_EQ(owner.transport.pass(), 1);
  EXPECT_EQ(owner.transport.epoch(), 2);
}

}  // namespace
}  // namespace glint
