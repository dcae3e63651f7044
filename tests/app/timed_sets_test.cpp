// Tests which frames are put together if cameras have different rates or begin at different times.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "app/base/sets_by_time.h"
#include "app/capture/sets/feeds.h"
#include "app/capture/source/retimed_source.h"
#include "config/error.h"
#include "tests/app/scripted_source.h"

namespace glint {
namespace {

using Frames = std::vector<base::TimedFrame>;
using Numbers = std::vector<uint64_t>;
using test::ScriptedRecording;

Frames steady(size_t count, double rate, double begin = 0) {
  Frames frames;
  for (uint64_t i = 0; i < count; ++i) frames.push_back({i, begin + static_cast<double>(i) / rate});
  return frames;
}

TEST(SetsByTime, AreNotMadeWhereNumbersSaySo) {
  EXPECT_TRUE(base::setsByTime({}).empty());
  EXPECT_TRUE(base::setsByTime({steady(9, 60)}).empty());
  EXPECT_TRUE(base::setsByTime({steady(9, 60), steady(5, 60, 0.4 / 60)}).empty());
  EXPECT_TRUE(base::setsByTime({steady(1, 60), steady(1, 60, 7)}).empty());
  // A camera of 29.97 Hz is half a frame behind one of 30 Hz after 500 frames.
  EXPECT_TRUE(base::setsByTime({steady(490, 30), steady(490, 30000.0 / 1001)}).empty());
  EXPECT_FALSE(base::setsByTime({steady(510, 30), steady(510, 30000.0 / 1001)}).empty());
}

TEST(SetsByTime, AreNotMadeOfTimesThatDoNotRise) {
  Frames back = steady(9, 30);
  back[5].time = back[3].time;
  EXPECT_TRUE(base::setsByTime({steady(9, 60), back}).empty());
  back[5].time = std::nan("");
  EXPECT_TRUE(base::setsByTime({steady(9, 60), back}).empty());
  Frames far = steady(9, 60);
  far.back() = {9, 1e300};
  EXPECT_TRUE(base::setsByTime({steady(9, 60), far}).empty());
}

TEST(SetsByTime, TheFastestLeadsAndEachOtherJoinsTheNearest) {
  const auto sets = base::setsByTime({steady(4, 25), steady(9, 50), steady(8, 30, 0.001)});
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_EQ(sets[0], (Numbers{0, 2, 4, 6}));
  EXPECT_EQ(sets[1], (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  // The frames are at 1, 34.3, 67.7, 101, 134.3, 167.7, 201 and 234.3 ms. The leader ends at 160
  // ms.
  EXPECT_EQ(sets[2], (Numbers{0, 2, 3, 5, 7, 8, 10, 12}));
}

TEST(SetsByTime, RecordingsBeginAtOtherTimes) {
  // The second camera begins 3.4 frames before the first, and the third begins ten frames after it.
  const auto sets = base::setsByTime({steady(5, 100), steady(5, 100, -0.034), steady(3, 100, 0.1)});
  EXPECT_EQ(sets[0], (Numbers{3, 4, 5, 6, 7}));
  EXPECT_EQ(sets[1], (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(sets[2], (Numbers{13, 14, 15}));
}

TEST(SetsByTime, AHoleOfTheLeaderIsFilledByTheOthers) {
  Frames leader = steady(12, 100);
  // The missing frames are those from 40 to 70 ms.
  leader.erase(leader.begin() + 4, leader.begin() + 8);
  const auto sets = base::setsByTime({leader, steady(6, 50), steady(6, 50, 0.002)});
  EXPECT_EQ(sets[0], (Numbers{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(sets[1], (Numbers{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(sets[2], sets[1]);
}

TEST(SetsByTime, EveryFrameHasASetOfItsOwnWhateverItsTime) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Frames> cameras(2 + random() % 3);
    for (Frames& frames : cameras) {
      double time = std::uniform_real_distribution(-1.0, 1.0)(random);
      uint64_t number = random() % 5;
      for (size_t i = random() % 40; i > 0; --i, number += 1 + random() % 3)
        frames.push_back({number, time += std::exponential_distribution(50.0)(random) + 1e-6});
    }
    const auto sets = base::setsByTime(cameras);
    if (sets.empty()) continue;
    double fastest = HUGE_VAL;
    for (const Frames& frames : cameras)
      if (frames.size() > 1)
        fastest = std::min(fastest, (frames.back().time - frames.front().time) /
                                        double(frames.back().number - frames.front().number));
    std::map<uint64_t, std::pair<double, double>> spans;
    for (size_t c = 0; c < cameras.size(); ++c) {
      ASSERT_EQ(sets[c].size(), cameras[c].size());
      for (size_t i = 0; i < sets[c].size(); ++i) {
        EXPECT_TRUE(i == 0 || sets[c][i - 1] < sets[c][i]);
        const double time = cameras[c][i].time;
        auto& [first, last] = spans.try_emplace(sets[c][i], time, time).first->second;
        first = std::min(first, time), last = std::max(last, time);
      }
    }
    // Frames of a set lie within half an interval to each side of the leader's frame.
    for (const auto& [set, span] : spans) EXPECT_LE(span.second - span.first, fastest + 1e-5);
  }
}

class TimedFeeds : public testing::Test {
 protected:
  void add(ScriptedRecording::Script script) {
    script.camera = sources_.size();
    sources_.push_back(std::make_unique<ScriptedRecording>(script, &interrupt_));
  }
  capture::Feeds& start(std::vector<double> offsets = {}) {
    static const gpu::Device device({});
    return feeds_.emplace(device, std::move(sources_), Settings::Live(), interrupt_,
                          std::move(offsets));
  }
  /// Returns the number of the next set and each camera's frame, or -1 for a camera without one.
  /// Returns an empty list at the end.
  std::vector<int> next() {
    capture::FrameSet set;
    if (feeds_->next(set, std::chrono::milliseconds(120'000)) != capture::Feeds::Outcome::set)
      return {};
    std::vector<int> all{static_cast<int>(set.set.value())};
    for (size_t c = 0; c < feeds_->groups().places.size(); ++c) {
      const capture::CameraGroups::Place& place = feeds_->groups().places[c];
      const auto stamp = set.stampOf(place);
      all.push_back(stamp ? static_cast<int>(stamp->sequence.value()) : -1);
      if (stamp) frames_[{c, set.set}] = stamp->sequence.value();
      const auto shown = stamp ? std::optional(set.set) : set.earlier[c];
      if (shown) {
        EXPECT_TRUE(test::isPainted(set.groups[place.group]->layer(place.layer), c,
                                    frames_.at({c, *shown})));
      }
      if (!stamp) earlier_.push_back(set.earlier[c]);
    }
    return all;
  }

  capture::Interrupt interrupt_;
  std::vector<std::unique_ptr<capture::Source>> sources_;
  std::optional<capture::Feeds> feeds_;
  // The frame's number, by camera and set.
  std::map<std::pair<size_t, SetIndex>, uint64_t> frames_;
  // The set of the earlier frame that a camera without a frame shows.
  std::vector<std::optional<SetIndex>> earlier_;
};

using Set = std::vector<int>;

TEST_F(TimedFeeds, ASlowerCameraIsAbsentBetweenItsFrames) {
  add({.frames = 4, .rate = 40});
  add({.frames = 12, .rate = 120});
  EXPECT_TRUE(start().byTime());
  EXPECT_EQ(feeds_->length(), 12U);
  for (int n = 0; n < 12; ++n) EXPECT_EQ(next(), (Set{n, n % 3 == 0 ? n / 3 : -1, n}));
  EXPECT_EQ(next(), Set());
}

TEST_F(TimedFeeds, WhereItIsAbsentItsFrameBeforeIsShownAlsoAfterASeek) {
  add({.frames = 4, .rate = 40});
  add({.frames = 12, .rate = 120});
  start();
  while (!next().empty()) {
  }
  const auto shown = [](std::initializer_list<uint64_t> sets) {
    std::vector<std::optional<SetIndex>> all;
    for (const uint64_t set : sets) all.emplace_back(SetIndex(set));
    return all;
  };
  EXPECT_EQ(std::exchange(earlier_, {}).size(), 8U);
  feeds_->seek(SetIndex(5), Epoch(1));
  for (int n = 5; n < 9; ++n) next();
  EXPECT_EQ(std::exchange(earlier_, {}), shown({3, 6, 6}));
  feeds_->seek(SetIndex(1), Epoch(2));
  next();
  EXPECT_EQ(earlier_, shown({0}));
}

TEST_F(TimedFeeds, SeeksGoToSets) {
  add({.frames = 4, .rate = 40});
  add({.frames = 12, .rate = 120});
  start();
  std::vector<Set> all;
  for (Set set = next(); !set.empty(); set = next()) all.push_back(set);
  for (const uint64_t from : {7, 0, 11, 6, 12, 2}) {
    feeds_->seek(SetIndex(from), Epoch(1));
    for (uint64_t n = from; n < 12; ++n) EXPECT_EQ(next(), all[n]);
    EXPECT_EQ(next(), Set());
  }
}

TEST_F(TimedFeeds, ARecordingThatBeginsLaterJoinsThen) {
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 100});
  EXPECT_TRUE(start({0, 0.03}).byTime());
  EXPECT_EQ(feeds_->length(), 8U);
  for (int n = 0; n < 8; ++n) EXPECT_EQ(next(), (Set{n, n < 5 ? n : -1, n < 3 ? -1 : n - 3}));
  for (const auto& set : earlier_) EXPECT_FALSE(set) << "it has not begun, or has ended";
  EXPECT_EQ(feeds_->offsetOf(1), 0.03);
}

TEST_F(TimedFeeds, AClockThatTheUserSetsDecidesWhichFramesGoTogether) {
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 100});
  capture::SourceOptions options;
  options.offset = 0.03;
  sources_[1] = capture::shiftTimes(std::move(sources_[1]), options);
  EXPECT_EQ(sources_[1]->frameTimes().front(), 0.03);
  EXPECT_TRUE(start().byTime());
  for (int n = 0; n < 8; ++n) EXPECT_EQ(next(), (Set{n, n < 5 ? n : -1, n < 3 ? -1 : n - 3}));
}

TEST_F(TimedFeeds, AClockThatDriftsDecidesItAlsoWhereBothBeginTogether) {
  add({.frames = 200, .rate = 100});
  add({.frames = 200, .rate = 100});
  capture::SourceOptions options;
  options.drift = 10'000;
  sources_[1] = capture::shiftTimes(std::move(sources_[1]), options);
  EXPECT_NEAR(*sources_[1]->statedRate(), 100 / 1.01, 1e-9);
  EXPECT_TRUE(start().byTime());
  // Frame n of the second camera is 0.01 n frames later than that of the first one.
  for (int n = 0; n < 150; ++n) {
    const Set set = next();
    ASSERT_EQ(set[0], n);
    EXPECT_EQ(set[1], n);
    // Frame 50 lies midway between two sets.
    const bool between = n == 50 || n == 51;
    EXPECT_TRUE(between || set[2] == (n < 50 ? n : n - 1)) << n;
  }
}

TEST(SourceOptions, SetAClock) {
  const auto parse = [](const std::string& options) {
    return capture::parseSource("clip.mkv?" + options, capture::OptionsFor::videos).options;
  };
  EXPECT_EQ(parse("offset=12.5&drift=-98.7").offset, 12.5);
  EXPECT_EQ(parse("offset=12.5&drift=-98.7").drift, -98.7);
  EXPECT_FALSE(parse("fps=60").offset);
  for (const char* wrong : {"offset=-1", "offset=nan", "offset=", "offset=1e7", "drift=200000"})
    EXPECT_THROW(parse(wrong), UsageError) << wrong;
}

TEST_F(TimedFeeds, NumbersCountWhereRatesAreAlikeOrNotToldOrTimesAreNot) {
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 100});
  EXPECT_FALSE(start({0, 0.004}).byTime());
  EXPECT_EQ(feeds_->offsetOf(1), 0);
  add({.frames = 5, .rate = 100});
  add({.frames = 5});
  EXPECT_FALSE(start().byTime());
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 50});
  add({.frames = 5});
  EXPECT_FALSE(start().byTime());
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 100});
  // The recordings would be separated by more empty sets than anybody would wait for.
  EXPECT_FALSE(start({0, 1e9}).byTime());
  add({.frames = 5, .rate = 100});
  add({.frames = 5, .rate = 50, .timesKnown = false});
  EXPECT_FALSE(start().byTime());
  for (int n = 0; n < 5; ++n) EXPECT_EQ(next(), (Set{n, n, n}));
}

}  // namespace
}  // namespace glint
