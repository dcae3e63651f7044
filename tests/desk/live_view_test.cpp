// Tests what the window shows about live cameras beside their picture.
#include <memory>

#include <gtest/gtest.h>

#include "ui/model/camera_health.h"
#include "ui/model/presence.h"
#include "ui/model/trails.h"

namespace glint {
namespace {

/// Returns a set of one camera with these tracks. There are 10 sets per second.
motion::FramePtr setOf(uint64_t set, const std::vector<uint64_t>& tracks) {
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(set);
  motion::CameraFrame& camera = frame->cameras.emplace_back();
  camera.measured.state = gpu::CameraState::frame;
  camera.measured.stamp = gpu::FrameStamp{.time = static_cast<double>(set) / 10};
  camera.measured.markers.resize(tracks.size());
  for (const uint64_t track : tracks) camera.tracks.emplace_back().track = TrackId(track);
  return frame;
}

TEST(PresenceTest, RollsOverTheLatestSeconds) {
  ui::Presence presence;
  for (uint64_t set = 0; set < 1000; ++set) {
    std::vector<uint64_t> tracks{1};
    if (set < 500 || set >= 900) tracks.push_back(2);
    presence.accept(setOf(set, tracks));
  }
  const auto all = presence.of(0, SetIndex(999));
  const uint64_t first = 999 - static_cast<uint64_t>(10 * ui::Presence::kSeconds);
  EXPECT_NEAR(static_cast<double>(all.first.value()), static_cast<double>(first), 1);
  EXPECT_EQ(all.counts.size(), 1000 - all.first.value());
  EXPECT_EQ(all.counts.front(), 1U);
  EXPECT_EQ(all.counts.back(), 2U);
  EXPECT_NEAR(all.rate, 10, 1e-6);
  ASSERT_EQ(all.tracks.size(), 2U) << "track 2 was there twice, first before that";
  EXPECT_EQ(all.tracks[1].track, TrackId(2));
  EXPECT_EQ(all.tracks[1].first, 900U);
  const auto earlier = presence.of(0, SetIndex(899));
  EXPECT_EQ(earlier.counts.size(), 900 - all.first.value());
  EXPECT_EQ(earlier.tracks.size(), 1U);
  EXPECT_EQ(earlier.tracks[0].last, 899U);
}

TEST(PresenceTest, AllCamerasTogetherAndASlowOneKeepsItsCountBetweenItsFrames) {
  ui::Presence presence;
  for (uint64_t set = 0; set < 12; ++set) {
    const auto both = std::make_shared<motion::Frame>(*setOf(set, {1, 2}));
    motion::CameraFrame slow =
        setOf(set, set % 3 == 0 ? std::vector<uint64_t>{3} : std::vector<uint64_t>{})->cameras[0];
    if (set % 3 != 0) {
      slow.measured.stamp.reset();
      slow.measured.state = set < 9 ? gpu::CameraState::none : gpu::CameraState::lost;
    }
    both->cameras.push_back(slow);
    presence.accept(both);
  }
  const auto together = presence.of(std::nullopt, SetIndex(11));
  EXPECT_EQ(together.counts, (std::vector<uint32_t>{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2}));
  EXPECT_EQ(together.tracks.size(), 3U);
  EXPECT_EQ(presence.of(1, SetIndex(11)).counts,
            (std::vector<uint32_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(presence.of(0, SetIndex(11)).tracks.size(), 2U);
}

TEST(LookingBack, WhatIsLookedAtStaysHoweverLongItTakes) {
  ui::Presence presence;
  ui::Trails trails;
  const auto accept = [&](uint64_t from, uint64_t to) {
    for (uint64_t set = from; set < to; ++set) {
      const auto frame = std::make_shared<motion::Frame>(*setOf(set, {1, 2}));
      for (motion::TrackRow& row : frame->cameras[0].tracks)
        row.time = static_cast<double>(set) / 10;
      presence.accept(frame);
      trails.accept(frame);
    }
  };
  const auto seen = [&](uint64_t set) {
    return std::pair(presence.of(0, SetIndex(set)).counts,
                     trails.of(0, Pass(), SetIndex(set), 5).size());
  };
  accept(0, 400);
  const auto before = seen(399);
  EXPECT_EQ(before.second, 2U);
  presence.hold(true);
  trails.hold(true);
  accept(400, 2000);
  presence.hold(true);
  trails.hold(true);
  EXPECT_EQ(seen(399), before);
  EXPECT_EQ(seen(1999).second, 2U) << "what came since";
  presence.hold(false);
  trails.hold(false);
  EXPECT_EQ(seen(399).second, 0U);
  EXPECT_TRUE(seen(399).first.empty());
  EXPECT_EQ(seen(1999).first.size(), before.first.size());
}

class HealthTest : public testing::Test {
 protected:
  HealthTest() {
    state_.live = true;
    state_.cameras.resize(1);
    status().state = capture::CameraStatus::State::live;
    status().rate = 50;
  }
  capture::CameraStatus& status() { return state_.cameras[0]; }
  /// Lets `seconds` pass in which `frames` frames arrive, and returns the camera's health after
  /// that.
  const ui::Health& after(double seconds, uint64_t frames) {
    now_ += seconds;
    status().delivered += frames;
    health_.see(state_, now_, static_cast<std::time_t>(now_));
    return health_.cameras()[0];
  }

  session::SessionState state_;
  ui::CameraHealth health_;
  double now_ = 1e6;
};

TEST_F(HealthTest, LateMeansThreeIntervals) {
  EXPECT_EQ(after(0, 0).light, ui::Light::late);
  EXPECT_EQ(after(1, 50).light, ui::Light::green);
  EXPECT_EQ(after(0.2, 0).light, ui::Light::green);
  EXPECT_EQ(after(0.2, 0).light, ui::Light::late);
  EXPECT_EQ(after(0.1, 1).light, ui::Light::green);
  status().rate = 1;
  EXPECT_EQ(after(2.9, 0).light, ui::Light::green);
  EXPECT_EQ(after(0.2, 0).light, ui::Light::late);
}

TEST_F(HealthTest, APausedCameraIsNotLate) {
  after(1, 50);
  state_.mode = session::SessionState::Mode::paused;
  EXPECT_EQ(after(10, 0).light, ui::Light::green);
}

TEST_F(HealthTest, DroppedFramesAreToldForAWhile) {
  after(1, 50);
  status().dropped = 3;
  EXPECT_EQ(after(0.1, 5).light, ui::Light::dropping);
  EXPECT_EQ(after(ui::CameraHealth::kDropping + 0.1, 50).light, ui::Light::green);
}

TEST_F(HealthTest, ALossStaysMarkedUntilItIsSeen) {
  after(1, 50);
  status().state = capture::CameraStatus::State::lost;
  ++status().losses;
  const std::string words = after(1, 0).words;
  EXPECT_EQ(health_.cameras()[0].light, ui::Light::lost);
  EXPECT_EQ(after(5, 0).words, words) << "since it was lost";
  status().state = capture::CameraStatus::State::live;
  EXPECT_EQ(after(1, 50).light, ui::Light::green);
  EXPECT_NE(after(100, 50).mark, "");
  health_.takeNote(0);
  EXPECT_EQ(after(1, 50).mark, "");
}

}  // namespace
}  // namespace glint
