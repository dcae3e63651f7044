#include "app/shell/desk/background_task.h"

#include <exception>
#include <utility>

namespace glint::shell {

BackgroundTask::Progress BackgroundTask::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void BackgroundTask::wait() {
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::end() {
  cancel();
  wait();
}

void BackgroundTask::set(const std::function<void(Progress&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(progress_);
  }
  if (changed_) changed_();
}

void BackgroundTask::start(std::function<void()> work) {
  thread_ = std::thread([this, work = std::move(work)] {
    using State = Progress::State;
    State state = State::done;
    std::string problem;
    try {
      work();
    } catch (const std::exception& error) {
      state = interrupt_.isSet() ? State::cancelled : State::failed;
      if (state == State::failed) problem = error.what();
    }
    set([&](Progress& p) {
      p.state = state;
      if (!problem.empty()) p.problem = problem;
    });
  });
}

}  // namespace glint::shell
