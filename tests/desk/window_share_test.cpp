// Tests what the window's thread and the session's thread share while both run as fast as they can.
// The thread sanitizer watches them, and every snapshot must be consistent.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

#include "app/shell/desk/recording_meter.h"
#include "tests/app/driven_session.h"
#include "ui/model/messages.h"
#include "ui/model/timings.h"
#include "ui/model/trails.h"

namespace glint {
namespace {

constexpr const char* kSharedScene = "synth:dancer?size=96x64&frames=20&seed=4&cameras=1";
constexpr int kChecks = 250;

/// A signal that wakes the thread that looks at the session, as the window is woken.
class Bell {
 public:
  void ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    changed_.notify_one();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    const bool rung = changed_.wait_for(lock, DrivenSession::kPatience, [this] { return rung_; });
    rung_ = false;
    return rung;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool rung_ = false;
};

/// A session that plays `kSharedScene` again and again, together with the thread that reads its
/// state.
class Sharing {
 public:
  Sharing() : run_(sourcesOf({kSharedScene}), options()) {}

  void checkNext(int number) {
    ASSERT_TRUE(bell_.wait());
    const auto state = run_.session().state();
    check(*state);
    if (!state->frame) return;
    const auto paths = trails_->of(0, state->frame->pass, state->frame->set, 0.5);
    for (const auto& [track, path] : paths) EXPECT_EQ(path.back().set, state->frame->set);
    latencies_->summary(16);
    messages_->update(ui::Messages::Clock::now());
    EXPECT_GE(rows_->rows(), rowsSeen_);
    rowsSeen_ = rows_->rows();
    wanted_ = number % 3 == 0;
    if (number % 5 == 0) change(number % 2 == 0 ? 6 : 9);
    if (number % 40 == 0)
      run_.session().post(session::command::Seek{SetIndex(static_cast<uint64_t>(number % 20))});
  }

  void end() {
    EXPECT_EQ(run_.tell(session::command::Stop{}), "");
    EXPECT_EQ(run_.finish().failure, "");
    EXPECT_EQ(*answered_, sent_) << "every change is answered once";
    EXPECT_GT(drawn_, 0) << "planes of frames that were to be drawn";
    EXPECT_GT(undrawn_, 0) << "and none of others";
  }

 private:
  session::SessionOptions options() {
    session::SessionOptions options{.settings = {}, .maxFrames = {}, .stay = true};
    options.planes.source = true;
    options.wantsPlanes = [this] { return wanted_.load(); };
    options.published = [this] { bell_.ring(); };
    options.listeners = {trails_, latencies_, rows_};
    return options;
  }

  /// Fails unless the image and the results of a snapshot are of one frame, and no number is
  /// smaller than in an earlier snapshot.
  void check(const session::SessionState& state) {
    EXPECT_GE(state.epoch, epoch_);
    epoch_ = state.epoch;
    EXPECT_GE(state.counts.frames, frames_);
    frames_ = state.counts.frames;
    if (!state.frame) return;
    EXPECT_LE(state.frame->epoch, state.epoch);
    const bool drawable = state.planes.size() == 1 && state.planes[0];
    ++(drawable ? drawn_ : undrawn_);
    if (!drawable) return;
    EXPECT_EQ(state.set.set, state.frame->set) << "pixels of another frame";
    // The thread keeps the image as if it drew it. The image that it kept before is released here.
    held_ = state.planes[0];
  }

  void change(double separation) {
    ++sent_;
    run_.session().post(
        session::command::Change{[separation](Settings& s) { s.detect.separation = separation; }},
        [answered = answered_, messages = messages_](const std::string& problem) {
          ++*answered;
          messages->say(problem.empty() ? "in force" : problem);
        });
  }

  // These members come before the session, which uses them until it ends.
  Bell bell_;
  std::atomic<bool> wanted_ = true;
  std::shared_ptr<ui::Trails> trails_ = std::make_shared<ui::Trails>();
  std::shared_ptr<ui::Latencies> latencies_ = std::make_shared<ui::Latencies>();
  std::shared_ptr<shell::RowCounter> rows_ = std::make_shared<shell::RowCounter>();
  std::shared_ptr<ui::Messages> messages_ = std::make_shared<ui::Messages>();
  std::shared_ptr<std::atomic<int>> answered_ = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<const gpu::PlaneImages> held_;
  Epoch epoch_;
  uint64_t frames_ = 0, rowsSeen_ = 0;
  int drawn_ = 0, undrawn_ = 0, sent_ = 0;

 public:
  DrivenSession run_;
};

TEST(WindowShare, SnapshotsAreOfOneFrameAndNobodyWaits) {
  Sharing sharing;
  ASSERT_EQ(sharing.run_.tell(session::command::Loop{true}), "");
  ASSERT_EQ(sharing.run_.tell(session::command::Play{}), "") << "where its end has come already";
  for (int i = 0; i < kChecks && !testing::Test::HasFatalFailure(); ++i) sharing.checkNext(i);
  sharing.end();
}

}  // namespace
}  // namespace glint
