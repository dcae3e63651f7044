// Tests a session whose device is lost: everything that was measured before must be kept.
#include <algorithm>

#include "config/error.h"
#include "tests/app/driven_session.h"
#include "tests/gpu/device_loss.h"

namespace glint {
namespace {

constexpr const char* kDeviceScene = "synth:dancer?size=160x120&frames=24&seed=4&cameras=1";

/// A paused session on a device of its own. The device is lost while frame 6 is shown.
class LostDevice : public testing::Test {
 protected:
  session::Session& start(session::SessionOptions options) {
    options.paused = true;
    options.open = opening([this] { return seeing(seen_); });
    const auto device = std::make_shared<const gpu::Device>(gpu::Device::Options{});
    session_ = std::make_unique<session::Session>(device, sourcesOf({kDeviceScene}), options);
    session_->post(session::command::Step{6});
    EXPECT_TRUE(until([](const session::SessionState& s) { return s.counts.frames == 7; }));
    test::lose(*device);
    return *session_;
  }
  bool until(const std::function<bool(const session::SessionState&)>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + DrivenSession::kPatience;
    while (!holds(*session_->state())) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  std::shared_ptr<Seen> seen_ = std::make_shared<Seen>();
  std::unique_ptr<session::Session> session_;
};

TEST_F(LostDevice, EndsTheRunWithAllThatWasMeasured) {
  session::SessionOptions seven;
  seven.maxFrames = 7;
  const Seen plain = runOf(sourcesOf({kDeviceScene}), seven);
  session::Session& session = start({});
  session.post(session::command::Play{});
  const session::SessionResult& report = session.finish();
  EXPECT_NE(report.failure.find("lost"), std::string::npos) << report.failure;
  EXPECT_TRUE(seen_->finished);
  EXPECT_EQ(seen_->text(), plain.text());
}

}  // namespace
}  // namespace glint
