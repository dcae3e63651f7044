// Tests a session over live cameras: a missing frame is not the end, and a camera that comes back
// goes on.
#include <chrono>
#include <cmath>
#include <future>
#include <set>
#include <thread>

#include "tests/app/driven_session.h"
#include "tests/app/scripted_source.h"

namespace glint {
namespace {

constexpr gpu::ImageFormat kFormat{96, 64, 1, 8};

/// A live camera that sees one moving spot. A cable tells it when to send.
class SpotCamera final : public capture::Source {
 public:
  explicit SpotCamera(std::shared_ptr<test::Cable> cable) : events_(std::move(cable), kFormat, 0) {}
  const gpu::ImageFormat& format() const override { return kFormat; }
  const std::string& name() const override { return events_.name(); }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }

  capture::Reading read(const gpu::ImageView& image) override {
    const capture::Reading reading = events_.read(image);
    if (reading.state != gpu::CameraState::frame) return reading;
    const double cx = 10 + 1.5 * static_cast<double>(reading.stamp.sequence.value()), cy = 30.25;
    for (uint32_t y = 0; y < kFormat.height; ++y) {
      for (uint32_t x = 0; x < kFormat.width; ++x) {
        const double d2 = (x - cx) * (x - cx) + (y - cy) * (y - cy);
        image.row(y)[x] =
            static_cast<std::byte>(10 + (x + y) % 2 + std::lround(200 * std::exp(-d2 / 8)));
      }
    }
    return reading;
  }

 private:
  test::ScriptedCamera events_;
};

class LiveSession : public testing::Test {
 protected:
  test::Cable& add() {
    cables_.push_back(std::make_shared<test::Cable>());
    sources_.push_back(std::make_unique<SpotCamera>(cables_.back()));
    return *cables_.back();
  }
  DrivenSession& start(session::SessionOptions options = {}) {
    return run_.emplace(std::move(sources_), options);
  }
  /// Sends an event. After a frame it waits until that frame is tracked.
  void send(size_t camera, gpu::CameraState state) {
    const auto tracked = [&](const session::SessionState& s) {
      return s.counts.cameras[camera].frames;
    };
    const uint64_t before = tracked(*run_->session().state());
    cables_[camera]->send(state);
    if (state != gpu::CameraState::frame) return;
    ASSERT_TRUE(run_->until([&](const session::SessionState& s) { return tracked(s) > before; }));
  }
  std::set<uint64_t> tracksOf(size_t camera) const {
    std::set<uint64_t> ids;
    for (const auto& [from, row] : run_->seen->rows)
      if (from == camera) ids.insert(row.track.value());
    return ids;
  }

  std::vector<std::shared_ptr<test::Cable>> cables_;
  std::vector<std::unique_ptr<capture::Source>> sources_;
  std::optional<DrivenSession> run_;
};

TEST_F(LiveSession, ACameraOfEverySecondSetKeepsItsTracks) {
  add();
  add();
  DrivenSession& run = start();
  for (int n = 0; n < 24; ++n) {
    if (n % 2 == 1) send(1, gpu::CameraState::frame);
    send(0, gpu::CameraState::frame);
  }
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  EXPECT_EQ(run.finish().failure, "");
  size_t without = 0;
  for (const Seen::Frame& frame : run.seen->frames)
    if (frame.states[1] == gpu::CameraState::none) ++without;
  EXPECT_GE(without, 8U);
  EXPECT_EQ(tracksOf(0).size(), 1U);
  EXPECT_EQ(tracksOf(1).size(), 1U);
  EXPECT_EQ(run.finish().counts.cameras[0].frames, 24U);
  EXPECT_EQ(run.finish().counts.cameras[1].frames, 12U);
}

TEST_F(LiveSession, ACameraThatIsLostComesBackWithItsTracks) {
  add();
  add();
  DrivenSession& run = start();
  for (int n = 0; n < 8; ++n) {
    send(1, gpu::CameraState::frame);
    send(0, gpu::CameraState::frame);
  }
  send(1, gpu::CameraState::lost);
  for (int n = 0; n < 4; ++n) send(0, gpu::CameraState::frame);
  const auto lost = run.session().state();
  EXPECT_EQ(lost->cameras[1].state, capture::Feeds::CameraStatus::State::lost);
  EXPECT_EQ(lost->frame->cameras[1].measured.state, gpu::CameraState::lost);
  for (int n = 0; n < 8; ++n) {
    send(1, gpu::CameraState::frame);
    send(0, gpu::CameraState::frame);
  }
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  EXPECT_EQ(run.finish().failure, "");
  EXPECT_EQ(tracksOf(0).size(), 1U);
  EXPECT_EQ(tracksOf(1).size(), 1U) << "it goes on where it was";
  EXPECT_EQ(run.finish().counts.cameras[1].frames, 16U);
}

TEST_F(LiveSession, JumpsAreRefusedAndAPauseTakesNoFrames) {
  test::Cable& one = add();
  DrivenSession& run = start();
  for (int n = 0; n < 3; ++n) send(0, gpu::CameraState::frame);
  EXPECT_NE(run.tell(session::command::Seek{}), "");
  EXPECT_NE(run.tell(session::command::Loop{true}), "");
  EXPECT_NE(run.tell(session::command::Step{-1}), "");
  EXPECT_EQ(run.tell(session::command::Pause{}), "");
  one.send(gpu::CameraState::frame);
  one.send(gpu::CameraState::frame);
  EXPECT_EQ(run.session().state()->counts.frames, 3U);
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(run.until([](const session::SessionState& s) { return s.counts.frames == 4; }));
  EXPECT_EQ(run.session().state()->counts.dropped, 0U) << "what a pause replaces is nobody's loss";
  one.send(gpu::CameraState::ended);
  EXPECT_EQ(run.finish().failure, "") << "all cameras have ended: so has the session";
}

TEST_F(LiveSession, WhatWasIsShownAndHandedOverWhileAllGoesOn) {
  add();
  session::SessionOptions options;
  options.stay = true;
  options.recentSeconds = 0.055;
  DrivenSession& run = start(options);
  for (int n = 0; n < 10; ++n) send(0, gpu::CameraState::frame);
  const auto recent = [&] { return run.session().state()->recent.value(); };
  ASSERT_TRUE(
      run.until([](const session::SessionState& s) { return s.recent && s.recent->last >= 8; }));
  EXPECT_EQ(run.tell(session::command::ShowRecent{SetIndex(6)}), "");
  const auto looked = run.session().state();
  EXPECT_TRUE(recent().isShown);
  EXPECT_EQ(looked->frame->set, 6U);
  ASSERT_EQ(looked->frame->cameras[0].measured.markers.size(), 1U);
  EXPECT_EQ(looked->mode, session::SessionState::Mode::playing);
  const SetIndex first = recent().first, last = recent().last;
  for (int n = 0; n < 10; ++n) send(0, gpu::CameraState::frame);
  EXPECT_EQ(run.session().state()->frame->set, 6U);
  EXPECT_EQ(recent().first, first) << "what is in memory stays";
  EXPECT_EQ(recent().last, last);
  EXPECT_EQ(run.tell(session::command::ShowRecent{SetIndex(0)}), "");
  EXPECT_EQ(run.session().state()->frame->set, first) << "the oldest there is";
  // The sets are handed over on the session's thread, and are read on this one while the session
  // goes on.
  std::promise<std::vector<output::RawSet>> promise;
  EXPECT_EQ(run.tell(session::command::Recall{
                60, [&](std::vector<output::RawSet> sets) { promise.set_value(std::move(sets)); }}),
            "");
  EXPECT_EQ(run.tell(session::command::ShowRecent{}), "");
  const std::vector<output::RawSet> sets = promise.get_future().get();
  ASSERT_EQ(sets.size(), last - first + 1);
  const auto bytes = [](const output::RawSet& set) { return *set.shots.at(0).pixels; };
  std::vector<std::vector<std::byte>> before;
  for (const output::RawSet& set : sets) before.push_back(bytes(set));
  for (int n = 0; n < 10; ++n) send(0, gpu::CameraState::frame);
  EXPECT_FALSE(recent().isShown);
  EXPECT_EQ(run.session().state()->frame->set, 29U);
  for (size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].index, first + i);
    EXPECT_TRUE(bytes(sets[i]) == before[i]) << "its memory is not used again";
  }
  EXPECT_EQ(run.tell(session::command::Remember{0}), "");
  for (int n = 0; n < 2; ++n) send(0, gpu::CameraState::frame);
  ASSERT_TRUE(run.until([](const session::SessionState& s) { return !s.recent; }));
  EXPECT_NE(run.tell(session::command::ShowRecent{SetIndex(6)}), "");
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  // The shown set was measured with the same result as before.
  const auto& markers = looked->frame->cameras[0].measured.markers;
  EXPECT_EQ(markers[0].x, run.seen->frames[6].markers[0].at(0).x);
  EXPECT_EQ(markers[0].y, run.seen->frames[6].markers[0].at(0).y);
}

// The automatic threshold of a camera's first frame follows from that frame itself, even if it has
// replaced another one.
TEST_F(LiveSession, AFirstFrameThatWasReplacedLeavesNoThresholdBehind) {
  test::Cable& one = add();
  DrivenSession& run = start();
  ASSERT_EQ(run.tell(session::command::Pause{}), "");
  one.send(gpu::CameraState::frame);
  one.send(gpu::CameraState::frame);
  EXPECT_EQ(run.tell(session::command::Play{}), "");
  ASSERT_TRUE(run.until([](const session::SessionState& s) { return s.counts.frames == 1; }));
  const auto state = run.session().state();
  const gpu::LayerMeasurement& measured = state->frame->cameras[0].measured;
  EXPECT_EQ(measured.stamp->sequence, 1U) << "frame 0 was replaced";
  EXPECT_LT(measured.threshold, 100U);
  EXPECT_EQ(measured.markers.size(), 1U);
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
}

TEST_F(LiveSession, ACameraThatBeginsLaterHasItsOwnThresholdAtOnce) {
  add();
  add();
  DrivenSession& run = start();
  for (int n = 0; n < 4; ++n) send(0, gpu::CameraState::frame);
  send(1, gpu::CameraState::frame);
  send(0, gpu::CameraState::frame);
  EXPECT_EQ(run.tell(session::command::Stop{}), "");
  EXPECT_EQ(run.finish().failure, "");
  for (const Seen::Frame& frame : run.seen->frames) {
    for (size_t camera = 0; camera < 2; ++camera) {
      if (frame.states[camera] != gpu::CameraState::frame) continue;
      EXPECT_EQ(frame.markers[camera].size(), 1U) << "camera " << camera << ", set " << frame.set;
    }
  }
  EXPECT_EQ(run.finish().counts.cameras[1].frames, 1U);
}

/// A camera that calls each of its frames the first one, which no tracker accepts.
class StuckCamera final : public capture::Source {
 public:
  const gpu::ImageFormat& format() const override { return kFormat; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }
  capture::Reading read(const gpu::ImageView& image) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    test::paint(image, 0, 0);
    return {gpu::CameraState::frame, {.sequence = {}, .time = 0}};
  }

 private:
  std::string name_ = "stuck";
};

TEST_F(LiveSession, AMistakeOfTheTrackersIsNotToldAsTheDevices) {
  sources_.push_back(std::make_unique<StuckCamera>());
  DrivenSession& run = start();
  const std::string failure = run.finish().failure;
  EXPECT_NE(failure.find("this is a bug in Glint"), std::string::npos) << failure;
  EXPECT_EQ(failure.find("device"), std::string::npos) << failure;
  EXPECT_EQ(run.seen->frames.size(), 1U) << "what was tracked before is kept";
  EXPECT_TRUE(run.seen->finished);
}

TEST_F(LiveSession, TheOthersGoOnWhenOneBreaks) {
  test::Cable& one = add();
  test::Cable& two = add();
  DrivenSession& run = start();
  for (int n = 0; n < 4; ++n) {
    send(1, gpu::CameraState::frame);
    send(0, gpu::CameraState::frame);
  }
  two.breakDown();
  ASSERT_TRUE(run.until([](const session::SessionState& s) {
    return s.cameras[1].state == capture::Feeds::CameraStatus::State::ended;
  }));
  for (int n = 0; n < 4; ++n) send(0, gpu::CameraState::frame);
  one.send(gpu::CameraState::ended);
  EXPECT_EQ(run.finish().counts.cameras[0].frames, 8U);
  EXPECT_NE(run.finish().failure.find("burnt"), std::string::npos);
}

/// A recording of a spot that stands still, in which the brightness of each frame's background is
/// given by a list.
class LevelRecording final : public capture::Source {
 public:
  explicit LevelRecording(std::vector<int> levels) : levels_(std::move(levels)) {}
  const gpu::ImageFormat& format() const override { return kFormat; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return levels_.size(); }
  capture::Reading read(const gpu::ImageView& image) override {
    if (next_ == levels_.size()) return {};
    for (uint32_t y = 0; y < kFormat.height; ++y) {
      for (uint32_t x = 0; x < kFormat.width; ++x) {
        const bool spot = x / 3 == 10 && y / 3 == 10;
        image.row(y)[x] = static_cast<std::byte>(spot ? 250U : levels_[next_] + (x + y) % 4);
      }
    }
    const double time = static_cast<double>(next_) / 100;
    return {gpu::CameraState::frame, {.sequence = FrameNumber(next_++), .time = time}};
  }

 private:
  std::vector<int> levels_;
  size_t next_ = 0;
  std::string name_ = "levels";
};

struct ThresholdListener final : output::Sink {
  void accept(const motion::FramePtr& frame) override {
    if (frame->measured()) thresholds.push_back(frame->cameras[0].measured.threshold);
  }
  std::vector<uint32_t> thresholds;
};

/// Returns the thresholds with which frames of these backgrounds are measured.
std::vector<uint32_t> thresholdsOf(std::vector<int> levels, int lag) {
  const auto listener = std::make_shared<ThresholdListener>();
  session::SessionOptions options;
  options.settings.live.lag = lag;
  options.listeners = {listener};
  std::vector<std::unique_ptr<capture::Source>> sources;
  sources.push_back(std::make_unique<LevelRecording>(std::move(levels)));
  DrivenSession run(std::move(sources), options);
  EXPECT_EQ(run.finish().failure, "");
  return listener->thresholds;
}

TEST(Lag, ThresholdsAreThoseOfTheFrameBeforeOrOfTheFrameItself) {
  const std::vector<int> levels{10, 90, 40, 160};
  std::vector<uint32_t> own;
  for (const int level : levels) own.push_back(thresholdsOf({level}, 1).at(0));
  EXPECT_LT(own[0], own[2]);
  EXPECT_LT(own[2], own[1]);
  EXPECT_LT(own[1], own[3]);
  EXPECT_EQ(thresholdsOf(levels, 1), (std::vector{own[0], own[0], own[1], own[2]}));
  EXPECT_EQ(thresholdsOf(levels, 0), own);
}

}  // namespace
}  // namespace glint
