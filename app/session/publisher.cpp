#include "app/session/publisher.h"

#include <utility>

namespace glint::session {
namespace {

/// Returns the number of frames written plus the number of sinks that have ended. If it changes,
/// sinks have made progress.
uint64_t writtenOf(const std::vector<output::SinkStatus>& sinks) {
  uint64_t written = 0;
  for (const output::SinkStatus& sink : sinks) written += sink.frames + (sink.finished ? 1 : 0);
  return written;
}

}  // namespace

void Publisher::publish(std::shared_ptr<const SessionState> newest) {
  written_ = writtenOf(newest->sinks);
  {
    const std::lock_guard lock(mutex_);
    newest.swap(state_);
    // The previous snapshot is destroyed outside of the lock, or by its last reader.
  }
  if (published_) published_();
}

bool Publisher::isOutdated(const std::vector<output::SinkStatus>& sinks) const {
  return writtenOf(sinks) != written_;
}

void Publisher::end() {
  {
    const std::lock_guard lock(mutex_);
    hasEnded_ = true;
  }
  ended_.notify_all();
}

std::shared_ptr<const SessionState> Publisher::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool Publisher::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, patience, [this] { return hasEnded_; });
}

}  // namespace glint::session
