#include "app/session/session.h"

#include <array>
#include <utility>

#include "app/session/run.h"

namespace glint::session {

Session::Session(std::shared_ptr<const gpu::Device> device,
                 std::vector<std::unique_ptr<capture::Source>> sources, SessionOptions options)
    : run_(std::make_unique<SessionRun>(std::move(device), std::move(sources),
                                        std::move(options))) {}

Session::~Session() = default;

void Session::post(Command command, Answer answer) {
  run_->post({std::move(command), std::move(answer)});
}

std::shared_ptr<const SessionState> Session::state() const {
  return run_->state();
}

const capture::CameraGroups& Session::groups() const {
  return run_->groups();
}

bool Session::wait(std::chrono::milliseconds patience) {
  return run_->wait(patience);
}

const SessionResult& Session::finish() {
  return run_->finish();
}

const char* nameOf(SessionState::Mode mode) {
  constexpr std::array kNames{"playing", "paused", "at_end", "failed", "ended"};
  return kNames[static_cast<size_t>(mode)];
}

}  // namespace glint::session
