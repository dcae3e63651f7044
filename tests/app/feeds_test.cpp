// Tests how frames of several cameras are put together in sets, for recordings and live cameras.
#include "app/capture/sets/feeds.h"

#include <atomic>
#include <random>
#include <thread>
#include <variant>

#include <gtest/gtest.h>

#include "tests/app/scripted_source.h"
#include "tests/numbers.h"

namespace glint {
namespace {

using std::chrono::milliseconds;
using test::Cable;
using test::ScriptedCamera;
using test::ScriptedRecording;
using Outcome = capture::Feeds::Outcome;
using State = capture::Feeds::CameraStatus::State;
using Sources = std::vector<std::unique_ptr<capture::Source>>;

constexpr gpu::ImageFormat kSmall{16, 8, 1, 8};
constexpr gpu::ImageFormat kOdd{37, 11, 1, 8};
// This is far longer than anything here takes. It is reached only if the program hangs.
constexpr milliseconds kLong{120'000};

const gpu::Device& device() {
  static const gpu::Device shared({});
  return shared;
}

/// The expected pixels or states of a set: for each camera its frame, or the reason why it has
/// none.
using Expected = std::vector<std::variant<uint64_t, gpu::CameraState>>;

void expectSet(const capture::Feeds& feeds, const capture::FrameSet& set,
               const Expected& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "set " << set.set << ", camera " << i);
    const capture::CameraGroups::Place& place = feeds.groups().places[i];
    const auto stamp = set.stampOf(place);
    if (const auto* state = std::get_if<gpu::CameraState>(&expected[i])) {
      EXPECT_EQ(set.stateOf(place), *state);
      EXPECT_FALSE(stamp.has_value());
      continue;
    }
    const uint64_t frame = std::get<uint64_t>(expected[i]);
    ASSERT_EQ(set.stateOf(place), gpu::CameraState::frame);
    ASSERT_TRUE(stamp.has_value());
    EXPECT_EQ(stamp->sequence, frame);
    EXPECT_DOUBLE_EQ(stamp->time, static_cast<double>(frame) / 100);
    EXPECT_TRUE(test::isPainted(set.groups[place.group]->layer(place.layer), i, frame));
  }
}

TEST(CameraGroups, OneFormatIsOneGroup) {
  const capture::CameraGroups groups =
      capture::groupCameras({kSmall, kOdd, kSmall, {37, 11, 1, 16}, kOdd});
  ASSERT_EQ(groups.formats.size(), 3U);
  EXPECT_EQ(groups.formats[0], (gpu::FrameFormat{kSmall, 2}));
  EXPECT_EQ(groups.formats[1], (gpu::FrameFormat{kOdd, 2}));
  EXPECT_EQ(groups.formats[2], (gpu::FrameFormat{{37, 11, 1, 16}, 1}));
  const std::vector<std::pair<size_t, uint32_t>> places{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}};
  for (size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(groups.places[i].group, places[i].first);
    EXPECT_EQ(groups.places[i].layer, places[i].second);
  }
}

TEST(CameraGroups, AFullGroupIsFollowedByAnother) {
  const capture::CameraGroups groups =
      capture::groupCameras(std::vector<gpu::ImageFormat>(18, kSmall));
  ASSERT_EQ(groups.formats.size(), 2U);
  EXPECT_EQ(groups.formats[0].layers, 16U);
  EXPECT_EQ(groups.formats[1].layers, 2U);
  EXPECT_EQ(groups.places[17].group, 1U);
  EXPECT_EQ(groups.places[17].layer, 1U);
}

// ---- Recordings

class RecordedFeedsTest : public testing::Test {
 protected:
  void add(ScriptedRecording::Script script) {
    script.camera = sources_.size();
    sources_.push_back(std::make_unique<ScriptedRecording>(script, &interrupt_));
  }
  capture::Feeds& start() {
    return feeds_.emplace(device(), std::move(sources_), Settings::Live(), interrupt_);
  }

  capture::Interrupt interrupt_;
  Sources sources_;
  std::optional<capture::Feeds> feeds_;
};

TEST_F(RecordedFeedsTest, SetNIsFrameNOfEveryCameraThatHasNotEnded) {
  add({.format = kSmall, .frames = 27});
  add({.format = kOdd, .frames = 13});
  add({.format = kSmall, .frames = 20});
  capture::Feeds& feeds = start();
  EXPECT_FALSE(feeds.live());
  EXPECT_TRUE(feeds.canSeek());
  EXPECT_EQ(feeds.length(), 27U);
  EXPECT_EQ(feeds.groups().formats.size(), 2U);
  capture::FrameSet set;
  for (uint64_t n = 0; n < 27; ++n) {
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    EXPECT_EQ(set.set, n);
    EXPECT_EQ(set.epoch, 0U);
    Expected expected{n, n, n};
    if (n >= 13) expected[1] = gpu::CameraState::ended;
    if (n >= 20) expected[2] = gpu::CameraState::ended;
    expectSet(feeds, set, expected);
  }
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  EXPECT_EQ(feeds.failure(), "");
  EXPECT_EQ(feeds.readTimes().count(), 27U);
  const auto status = feeds.status();
  for (const auto& [camera, frames] : {std::pair{0, 27U}, {1, 13U}, {2, 20U}}) {
    EXPECT_EQ(status[camera].delivered, frames);
    EXPECT_EQ(status[camera].dropped, 0U);
    EXPECT_EQ(status[camera].state, State::ended);
  }
}

TEST_F(RecordedFeedsTest, SlotsThatAreHeldDelayAndLoseNothing) {
  add({.frames = 30});
  capture::Feeds& feeds = start();
  std::vector<capture::FrameSet> held(capture::kFeedSlots);
  capture::FrameSet set;
  for (capture::FrameSet& one : held) ASSERT_EQ(feeds.next(one, kLong), Outcome::set);
  EXPECT_EQ(feeds.next(set, milliseconds(20)), Outcome::nothing);
  const uint64_t n = held.size();
  held.clear();
  for (uint64_t rest = n; rest < 30; ++rest) {
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    expectSet(feeds, set, {rest});
  }
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
}

TEST_F(RecordedFeedsTest, ASourceThatBreaksKeepsTheFramesOfTheOthers) {
  add({.frames = 30});
  add({.frames = 30, .breaksAt = 5});
  add({.frames = 3});
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  for (uint64_t n = 0; n < 6; ++n) {
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    Expected expected{n, n, n};
    if (n >= 3) expected[2] = gpu::CameraState::ended;
    if (n == 5) expected[1] = gpu::CameraState::ended;
    expectSet(feeds, set, expected);
  }
  EXPECT_EQ(feeds.next(set, kLong), Outcome::failed);
  EXPECT_EQ(feeds.next(set, kLong), Outcome::failed);
  EXPECT_EQ(feeds.failure(), "the recording broke");
  EXPECT_EQ(feeds.status()[1].problem, "the recording broke");
  feeds.seek(SetIndex(4), Epoch(7));
  EXPECT_EQ(feeds.failure(), "");
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{4}, uint64_t{4}, gpu::CameraState::ended});
}

TEST_F(RecordedFeedsTest, ASourceThatBreaksAtOnceFails) {
  add({.breaksAt = 0});
  capture::FrameSet set;
  EXPECT_EQ(start().next(set, kLong), Outcome::failed);
}

TEST_F(RecordedFeedsTest, AfterASeekNothingOfBeforeComes) {
  add({.format = kOdd, .frames = 40});
  add({.frames = 25});
  capture::Feeds& feeds = start();
  std::mt19937 random(7);
  capture::FrameSet set;
  for (uint32_t epoch = 1; epoch <= 200; ++epoch) {
    const uint64_t to = random() % 45;
    feeds.seek(SetIndex(to), Epoch(epoch));
    const uint64_t count = random() % 12;
    for (uint64_t n = to; n < to + count; ++n) {
      const Outcome outcome = feeds.next(set, kLong);
      if (n >= 40) {
        EXPECT_EQ(outcome, Outcome::ended);
        continue;
      }
      ASSERT_EQ(outcome, Outcome::set);
      EXPECT_EQ(set.set, n);
      EXPECT_EQ(set.epoch, epoch);
      Expected expected{n, n};
      if (n >= 25) expected[1] = gpu::CameraState::ended;
      expectSet(feeds, set, expected);
    }
  }
}

TEST_F(RecordedFeedsTest, ASetWithoutFramesIsPassedOverAndNoEnd) {
  add({.frames = 100, .every = 9});
  add({.format = kOdd, .frames = 60, .every = 6});
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  uint64_t frames = 0;
  for (uint64_t n = 0; n < 100; ++n) {
    if (n % 9 != 0 && (n % 6 != 0 || n >= 60)) continue;
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    EXPECT_EQ(set.set, n);
    Expected expected{n, n};
    if (n % 9 != 0) expected[0] = gpu::CameraState::none;
    if (n % 6 != 0) expected[1] = gpu::CameraState::none;
    if (n >= 60) expected[1] = gpu::CameraState::ended;
    expectSet(feeds, set, expected);
    ++frames;
  }
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  EXPECT_EQ(feeds.readTimes().count(), frames);
  feeds.seek(SetIndex(19), Epoch(1));
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  EXPECT_EQ(set.set, 24);
  expectSet(feeds, set, {gpu::CameraState::none, uint64_t{24}});
}

TEST_F(RecordedFeedsTest, WakeEndsAWait) {
  add({.hangsAt = 0});
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  feeds.wake();
  EXPECT_EQ(feeds.next(set, kLong), Outcome::nothing);
  EXPECT_EQ(feeds.next(set, milliseconds(1)), Outcome::nothing);
  std::thread other([&] { feeds.wake(); });
  EXPECT_EQ(feeds.next(set, kLong), Outcome::nothing);
  other.join();
}

TEST_F(RecordedFeedsTest, AnInterruptEndsAReadThatHangs) {
  add({.hangsAt = 3});
  add({.frames = 30});
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  for (int n = 0; n < 3; ++n) ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  std::thread other([&] { interrupt_.set(); });
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  EXPECT_EQ(feeds.failure(), "");
  other.join();
}

TEST_F(RecordedFeedsTest, TheDestructorEndsAReadThatHangs) {
  add({.hangsAt = 1});
  start();
  feeds_.reset();
  EXPECT_FALSE(interrupt_.isSet());
}

TEST_F(RecordedFeedsTest, LeasesOutliveTheFeeds) {
  add({});
  capture::FrameSet set;
  ASSERT_EQ(start().next(set, kLong), Outcome::set);
  feeds_.reset();
  EXPECT_TRUE(test::isPainted(set.groups[0]->layer(0), 0, 0));
}

// ---- Live cameras

class LiveFeedsTest : public testing::Test {
 protected:
  ~LiveFeedsTest() override { feeds_.reset(); }
  Cable& add(const gpu::ImageFormat& format = kSmall) {
    cables_.push_back(std::make_shared<Cable>());
    sources_.push_back(std::make_unique<ScriptedCamera>(cables_.back(), format, sources_.size()));
    return *cables_.back();
  }
  /// Starts feeds that put all frames that are there into a set, whatever their times.
  capture::Feeds& start() { return startWith(60'000, Settings().live.wait); }
  /// Starts feeds with this window and wait, in ms.
  capture::Feeds& startWith(double window, double wait) {
    Settings::Live live = Settings().live;
    live.window = window;
    live.wait = wait;
    return feeds_.emplace(device(), std::move(sources_), live, interrupt_);
  }
  /// Expects a set with these frames: for each camera the time of its frame, or the reason why it
  /// has none.
  void expectNext(const std::vector<std::variant<double, gpu::CameraState>>& cameras,
                  milliseconds patience = kLong) {
    capture::FrameSet set;
    ASSERT_EQ(feeds_->next(set, patience), Outcome::set);
    for (size_t i = 0; i < cameras.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "set " << set.set << ", camera " << i);
      const capture::CameraGroups::Place& place = feeds_->groups().places[i];
      const auto* time = std::get_if<double>(&cameras[i]);
      EXPECT_EQ(set.stateOf(place),
                time ? gpu::CameraState::frame : std::get<gpu::CameraState>(cameras[i]));
      EXPECT_EQ(set.stampOf(place).has_value(), time != nullptr);
      if (time && set.stampOf(place)) {
        EXPECT_EQ(set.stampOf(place)->time, *time);
      }
    }
  }

  capture::Interrupt interrupt_;
  std::vector<std::shared_ptr<Cable>> cables_;
  Sources sources_;
  std::optional<capture::Feeds> feeds_;
};

TEST_F(LiveFeedsTest, ACameraOfEverySecondSetIsNoneInBetween) {
  Cable& quick = add();
  Cable& slow = add(kOdd);
  capture::Feeds& feeds = start();
  EXPECT_TRUE(feeds.live());
  EXPECT_FALSE(feeds.canSeek());
  EXPECT_EQ(feeds.length(), std::nullopt);
  EXPECT_EQ(feeds.groups().formats.size(), 2U);
  EXPECT_EQ(feeds.status()[0].state, State::opening);
  capture::FrameSet set;
  double arrival = 0;
  for (uint64_t n = 0; n < 20; ++n) {
    if (n % 2 == 1) slow.send(gpu::CameraState::frame);
    quick.send(gpu::CameraState::frame);
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    EXPECT_EQ(set.set, n);
    Expected expected{n, gpu::CameraState::none};
    if (n % 2 == 1) expected[1] = n / 2;
    expectSet(feeds, set, expected);
    const gpu::FrameStamp stamp = *set.stampOf(feeds.groups().places[0]);
    EXPECT_GT(stamp.arrival, arrival);
    EXPECT_EQ(stamp.sourceSequence, 1001 + n);
    EXPECT_EQ(stamp.droppedBefore, 0U);
    arrival = stamp.arrival;
  }
  EXPECT_EQ(feeds.status()[0].delivered, 20U);
  EXPECT_EQ(feeds.status()[1].delivered, 10U);
  EXPECT_EQ(feeds.status()[1].state, State::live);
}

TEST_F(LiveFeedsTest, TheNewestFrameWinsAndTheOthersAreCounted) {
  Cable& one = add();
  Cable& two = add();
  capture::Feeds& feeds = start();
  for (int n = 0; n < 5; ++n) one.send(gpu::CameraState::frame);
  two.send(gpu::CameraState::frame);
  capture::FrameSet set;
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{4}, uint64_t{0}});
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->droppedBefore, 4U);
  EXPECT_EQ(set.stampOf(feeds.groups().places[1])->droppedBefore, 0U);
  one.send(gpu::CameraState::frame);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{5}, gpu::CameraState::none});
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->droppedBefore, 0U);
  EXPECT_EQ(feeds.status()[0].dropped, 4U);
  EXPECT_EQ(feeds.status()[1].dropped, 0U);
  EXPECT_EQ(feeds.next(set, milliseconds(1)), Outcome::nothing);
}

TEST_F(LiveFeedsTest, WhatIsReplacedWhileNobodyTakesSetsIsNotCounted) {
  Cable& one = add();
  capture::Feeds& feeds = start();
  one.send(gpu::CameraState::frame);
  feeds.rest(true);
  for (int n = 0; n < 3; ++n) one.send(gpu::CameraState::frame);
  feeds.rest(false);
  one.send(gpu::CameraState::frame);  // This frame replaces one that came before.
  capture::FrameSet set;
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{4}});
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->droppedBefore, 0U);
  for (int n = 0; n < 2; ++n) one.send(gpu::CameraState::frame);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->droppedBefore, 1U);
  EXPECT_EQ(feeds.status()[0].dropped, 1U);
}

TEST_F(LiveFeedsTest, ACameraThatIsLostComesBack) {
  Cable& one = add();
  Cable& two = add();
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  one.send(gpu::CameraState::frame);
  two.send(gpu::CameraState::frame);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{0}, uint64_t{0}});

  two.send(gpu::CameraState::lost);
  EXPECT_EQ(feeds.status()[1].state, State::lost);
  one.send(gpu::CameraState::frame);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{1}, gpu::CameraState::lost});

  two.send(gpu::CameraState::frame);
  EXPECT_EQ(feeds.status()[1].state, State::live);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {gpu::CameraState::none, uint64_t{1}});

  two.send(gpu::CameraState::frame);
  two.send(gpu::CameraState::ended);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {gpu::CameraState::none, uint64_t{2}});
  one.send(gpu::CameraState::frame);
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->sequence, 2U);
  one.send(gpu::CameraState::ended);
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  for (const auto& status : feeds.status()) EXPECT_EQ(status.state, State::ended);
}

TEST_F(LiveFeedsTest, OneThatBreaksStopsTheOthersNot) {
  Cable& one = add();
  Cable& two = add();
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  one.breakDown();
  for (uint64_t n = 0; n < 4; ++n) {
    two.send(gpu::CameraState::frame);
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    EXPECT_EQ(set.stampOf(feeds.groups().places[1])->sequence, n);
  }
  two.send(gpu::CameraState::ended);
  EXPECT_EQ(feeds.next(set, kLong), Outcome::failed);
  EXPECT_EQ(feeds.failure(), "the camera burnt");
  EXPECT_EQ(feeds.status()[0].problem, "the camera burnt");
  EXPECT_EQ(feeds.status()[1].problem, "");
}

TEST_F(LiveFeedsTest, AHolderOfLeasesNeverStopsAFeed) {
  Cable& camera = add();
  capture::Feeds& feeds = start();
  std::vector<capture::FrameSet> held(capture::kFeedSlots);
  capture::FrameSet set;
  for (capture::FrameSet& one : held) {
    camera.send(gpu::CameraState::frame);
    ASSERT_EQ(feeds.next(one, kLong), Outcome::set);
  }
  for (int n = 0; n < 11; ++n) camera.send(gpu::CameraState::frame);
  EXPECT_EQ(feeds.next(set, milliseconds(1)), Outcome::nothing);
  EXPECT_EQ(feeds.status()[0].dropped, 10U);
  for (uint64_t n = 0; n < held.size(); ++n) expectSet(feeds, held[n], {n});
  held.erase(held.begin());
  ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
  expectSet(feeds, set, {uint64_t{capture::kFeedSlots} + 10});
  EXPECT_EQ(set.stampOf(feeds.groups().places[0])->droppedBefore, 10U);
}

constexpr auto kFrame = gpu::CameraState::frame, kNone = gpu::CameraState::none;

TEST_F(LiveFeedsTest, FramesOfOneMomentAreOneSetAndOthersFollowInOrder) {
  Cable& one = add();
  Cable& two = add(kOdd);
  Cable& three = add();
  startWith(4, 0);
  two.send(kFrame, 0.003);
  one.send(kFrame, 0.000);
  three.send(kFrame, 0.0039);
  expectNext({0.000, 0.003, 0.0039});
  // The earlier frame comes first, even if it arrives later.
  two.send(kFrame, 0.015);
  one.send(kFrame, 0.010);
  expectNext({0.010, kNone, kNone});
  expectNext({kNone, 0.015, kNone});
  // The window begins with the earliest frame. A frame that is near a later one only is too late.
  three.send(kFrame, 0.036);
  one.send(kFrame, 0.030);
  two.send(kFrame, 0.033);
  expectNext({0.030, 0.033, kNone});
  // A frame that waits for its set may be replaced by a newer one, and its camera may end
  // meanwhile.
  three.send(kFrame, 0.041);
  three.send(gpu::CameraState::ended);
  one.send(kFrame, 0.0355);
  expectNext({0.0355, kNone, kNone});
  expectNext({kNone, kNone, 0.041});
  while (feeds_->status()[2].state != State::ended) std::this_thread::yield();
  one.send(kFrame, 0.050);
  expectNext({0.050, kNone, gpu::CameraState::ended});
  EXPECT_EQ(feeds_->status()[2].dropped, 1U);
  EXPECT_EQ(feeds_->status()[0].dropped, 0U);
}

// With two cameras the window is 0.6 of the fastest camera's interval, or 10 ms before any interval
// is known.
TEST_F(LiveFeedsTest, WithoutAWindowFramesBelongToThoseOfTheFastestCamera) {
  Cable& fast = add();
  Cable& slow = add();
  startWith(0, 0);
  fast.send(kFrame, 0.000);
  slow.send(kFrame, 0.009);
  expectNext({0.000, 0.009});
  fast.send(kFrame, 0.008);
  expectNext({0.008, kNone});
  fast.send(kFrame, 0.016);
  slow.send(kFrame, 0.0212);
  expectNext({0.016, kNone});
  fast.send(kFrame, 0.024);
  expectNext({0.024, 0.0212});
}

// The times of frames are 1,000 s apart, so that the clock on the wall decides nothing.
TEST_F(LiveFeedsTest, ASetWaitsForThoseThatAreDueAndForNobodyElse) {
  constexpr milliseconds kShort{20}, kLessThanTheWait{30'000};
  Cable& one = add();
  Cable& two = add();
  Cable& slow = add();  // This camera has a frame every second time.
  capture::Feeds& feeds = startWith(4, 60'000);
  capture::FrameSet set;
  for (const double time : {0.0, 1000.0, 2000.0}) {
    one.send(kFrame, time);
    two.send(kFrame, time + 0.002);
    if (time != 1000) slow.send(kFrame, time + 0.001);
    EXPECT_EQ(feeds.next(set, kLong), Outcome::set);
  }
  one.send(kFrame, 3000);
  EXPECT_EQ(feeds.next(set, kShort), Outcome::nothing) << "two is due";
  two.send(kFrame, 3000.002);
  expectNext({3000.0, 3000.002, kNone}, kLessThanTheWait);
  one.send(kFrame, 4000);
  two.send(kFrame, 4000.002);
  EXPECT_EQ(feeds.next(set, kShort), Outcome::nothing) << "slow is due";
  slow.send(kFrame, 4000.001);
  expectNext({4000.0, 4000.002, 4000.001}, kLessThanTheWait);
  two.send(gpu::CameraState::lost);
  one.send(kFrame, 5000);
  expectNext({5000.0, gpu::CameraState::lost, kNone}, kLessThanTheWait);
  // A camera whose frame does not come is left out after the wait.
  one.send(kFrame, 6000);
  two.send(kFrame, 6000.002);
  EXPECT_EQ(feeds.next(set, kShort), Outcome::nothing) << "slow is due";
  Settings settings;
  settings.live = {.window = 4, .wait = 1, .lag = 1};
  feeds.adjust(settings);
  expectNext({6000.0, 6000.002, kNone}, kLessThanTheWait);
  for (const auto& camera : feeds.status()) EXPECT_EQ(camera.dropped, 0U);
}

TEST_F(LiveFeedsTest, OneThatHasBeenSilentIsNotWaitedFor) {
  Cable& one = add();
  Cable& silent = add();
  startWith(4, 60'000);
  one.send(kFrame, 0);
  silent.send(kFrame, 0);
  expectNext({0.0, 0.0});
  silent.send(kFrame, 0.001);
  expectNext({kNone, 0.001});
  one.send(kFrame, 1000);
  expectNext({1000.0, kNone}, milliseconds(30'000));
}

TEST_F(LiveFeedsTest, AnInterruptEndsThem) {
  add();
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  std::thread other([&] { interrupt_.set(); });
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
  other.join();
}

TEST_F(LiveFeedsTest, ARecordingBesidesLiveCamerasGoesOnByItself) {
  Cable& camera = add();
  sources_.push_back(std::make_unique<ScriptedRecording>(
      ScriptedRecording::Script{.camera = 1, .frames = 5}, &interrupt_));
  capture::Feeds& feeds = start();
  capture::FrameSet set;
  uint64_t next = 0;
  while (next < 5) {
    ASSERT_EQ(feeds.next(set, kLong), Outcome::set);
    const auto stamp = set.stampOf(feeds.groups().places[1]);
    ASSERT_TRUE(stamp.has_value());
    EXPECT_EQ(stamp->sequence, next + stamp->droppedBefore);
    next = stamp->sequence.value() + 1;
  }
  camera.send(gpu::CameraState::ended);
  EXPECT_EQ(feeds.next(set, kLong), Outcome::ended);
}

// Four cameras send frames at full speed while a thread holds leases and another reads the status.
// This also serves the thread sanitizer.
TEST_F(LiveFeedsTest, EveryFrameIsDeliveredOrCounted) {
  constexpr uint64_t kFrames = 300;
  for (int i = 0; i < 4; ++i) add(i == 3 ? kOdd : kSmall);
  capture::Feeds& feeds = start();
  std::vector<std::thread> cameras;
  for (const auto& cable : cables_) {
    cameras.emplace_back([&cable] {
      for (uint64_t n = 0; n < kFrames; ++n) cable->send(gpu::CameraState::frame);
      cable->send(gpu::CameraState::ended);
    });
  }
  std::atomic<bool> done = false;
  std::thread watcher([&] {
    while (!done) {
      for (const auto& status : feeds.status()) EXPECT_LE(status.delivered, kFrames);
      std::this_thread::yield();
    }
  });
  std::mt19937 random(3);
  std::vector<uint64_t> next(4, 0);
  std::vector<capture::FrameSet> held;
  capture::FrameSet set;
  while (feeds.next(set, kLong) == Outcome::set) {
    for (size_t i = 0; i < 4; ++i) {
      const auto& place = feeds.groups().places[i];
      const auto stamp = set.stampOf(place);
      if (!stamp) continue;
      EXPECT_EQ(stamp->sequence, next[i] + stamp->droppedBefore);
      next[i] = stamp->sequence.value() + 1;
      EXPECT_TRUE(
          test::isPainted(set.groups[place.group]->layer(place.layer), i, stamp->sequence.value()));
    }
    held.push_back(std::move(set));
    if (held.size() > 3) held.erase(held.begin() + static_cast<ptrdiff_t>(random() % 4));
  }
  done = true;
  watcher.join();
  for (auto& camera : cameras) camera.join();
  EXPECT_EQ(next, std::vector<uint64_t>(4, kFrames));
  for (const auto& status : feeds.status()) EXPECT_EQ(status.delivered + status.dropped, kFrames);
}

}  // namespace
}  // namespace glint
