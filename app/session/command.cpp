#include "app/session/command.h"

#include <utility>

namespace glint::session {

bool CommandQueue::post(PostedCommand command) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    waiting_.push_back(std::move(command));
  }
  posted_.notify_all();
  return true;
}

bool CommandQueue::empty() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty();
}

std::deque<PostedCommand> CommandQueue::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(waiting_, {});
}

void CommandQueue::wait(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  posted_.wait_until(lock, until, [this] { return !waiting_.empty(); });
}

std::deque<PostedCommand> CommandQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  return std::exchange(waiting_, {});
}

}  // namespace glint::session
