// A session whose device is lost: what was measured is kept, or it goes on with a new one.
#include <algorithm>

#include "config/error.h"
#include "tests/app/driven_session.h"
#include "tests/gpu/device_loss.h"

namespace glint {
namespace {

constexpr const char* kScene = "synth:dancer?size=160x120&frames=24&seed=4&cameras=1";

std::shared_ptr<const Device> anotherDevice() {
  return std::make_shared<const Device>(Device::Options{});
}

/// A paused session on a device of its own, which is lost while frame 6 is shown.
class LostDevice : public testing::Test {
 protected:
  Session& start(SessionOptions options) {
    options.paused = true;
    const auto device = anotherDevice();
    session_ = std::make_unique<Session>(
        device, sourcesOf({kScene}), [this](const CameraGroups&) { return seeing(seen_); }, options,
        interrupt_);
    session_->post(command::Step{6});
    EXPECT_TRUE(until([](const SessionState& s) { return s.counts.frames == 7; }));
    test::lose(*device);
    return *session_;
  }
  bool until(const std::function<bool(const SessionState&)>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + DrivenSession::kPatience;
    while (!holds(*session_->state())) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  Interrupt interrupt_;
  std::shared_ptr<Seen> seen_ = std::make_shared<Seen>();
  std::unique_ptr<Session> session_;
};

TEST_F(LostDevice, EndsTheRunWithAllThatWasMeasured) {
  SessionOptions seven;
  seven.maxFrames = 7;
  const Seen plain = runOf(sourcesOf({kScene}), seven);
  Session& session = start({});
  session.post(command::Play{});
  const SessionResult& report = session.finish();
  EXPECT_NE(report.failure.find("lost"), std::string::npos) << report.failure;
  EXPECT_TRUE(seen_->finished);
  EXPECT_EQ(seen_->text(), plain.text());
}

TEST_F(LostDevice, IsMadeAnewAndTracksGoOn) {
  SessionOptions options;
  options.remake = [] { return SessionOptions::Remade{anotherDevice(), sourcesOf({kScene})}; };
  const Seen plain = runOf(sourcesOf({kScene}));
  Session& session = start(options);
  session.post(command::Play{});
  const SessionResult& report = session.finish();
  EXPECT_EQ(report.failure, "");
  ASSERT_EQ(seen_->frames.size(), 24U);
  for (uint64_t n = 0; n < 24; ++n) EXPECT_EQ(seen_->frames[n].index, n) << "none lost, none twice";
  EXPECT_EQ(seen_->frames.back().pass, 0U);
  EXPECT_GT(seen_->frames.back().epoch, 0U);
  uint64_t ids = 0, plainIds = 0;
  for (const auto& [camera, row] : seen_->rows) ids = std::max(ids, row.track);
  for (const auto& [camera, row] : plain.rows) plainIds = std::max(plainIds, row.track);
  EXPECT_LE(ids, plainIds + 1) << "the tracks of before go on";
}

TEST_F(LostDevice, SaysSoWhereNoneCanBeHad) {
  SessionOptions options;
  options.remake = []() -> SessionOptions::Remade { throw Error("no device left"); };
  Session& session = start(options);
  session.post(command::Play{});
  EXPECT_NE(session.finish().failure.find("no device left"), std::string::npos);
  EXPECT_EQ(seen_->frames.size(), 7U);
  EXPECT_TRUE(seen_->finished);
}

}  // namespace
}  // namespace glint
