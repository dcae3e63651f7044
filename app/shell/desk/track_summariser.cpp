#include "app/shell/desk/track_summariser.h"

#include <chrono>
#include <utility>

namespace glint::shell {

TrackSummariser::TrackSummariser(std::function<void()> changed)
    : changed_(std::move(changed)), thread_([this] { work(); }) {}

TrackSummariser::~TrackSummariser() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  asked_.notify_all();
  thread_.join();
}

void TrackSummariser::ask(Request request) {
  {
    const std::lock_guard lock(mutex_);
    request_ = std::move(request);
  }
  asked_.notify_all();
}

std::shared_ptr<const TrackSummariser::Result> TrackSummariser::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

bool TrackSummariser::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || request_;
}

void TrackSummariser::work() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return ending_ || request_; });
    if (ending_) return;
    auto result = std::make_shared<Result>();
    result->of = *std::exchange(request_, std::nullopt);
    working_ = true;
    lock.unlock();
    static const output::EditedTracks none;
    const auto begin = Clock::now();
    result->tracks = summarise(*result->of.history, result->of.edits ? *result->of.edits : none);
    result->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    lock.lock();
    working_ = false;
    result_ = std::move(result);
    lock.unlock();
    if (changed_) changed_();
    lock.lock();
  }
}

}  // namespace glint::shell
