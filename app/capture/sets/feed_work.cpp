#include "app/capture/sets/feed_work.h"

#include <algorithm>
#include <utility>

namespace glint::capture {

FeedWork::FeedWork(const gpu::Device& device, const CameraGroups& groups, Interrupt& interrupt,
                   gpu::Upload upload)
    : groups_(groups), interrupt_(interrupt), status_(groups.places.size()) {
  const auto freed = [signal = signal_] {
    {
      const std::lock_guard lock(signal->mutex);
    }  // so that no thread is between a look and a wait
    signal->changed.notify_all();
  };
  for (const gpu::FrameFormat& format : groups.formats)
    pools_.emplace_back(device, format, kFeedSlots, freed, upload);
}

FeedOutcome FeedWork::next(FrameSet& set, std::chrono::milliseconds patience) {
  set = {};  // before the lock, because its leases take the lock when they come back
  const auto deadline = Clock::now() + patience;
  Lock lock(signal_->mutex);
  for (;;) {
    if (std::exchange(woken_, false)) return FeedOutcome::nothing;
    auto retry = std::min(deadline, Clock::now() + kPollEvery);
    const FeedOutcome outcome = poll(lock, set, retry);
    if (outcome != FeedOutcome::nothing) return outcome;
    if (interrupt_.isSet()) return FeedOutcome::ended;
    if (Clock::now() >= deadline) return FeedOutcome::nothing;
    signal_->changed.wait_until(lock, retry);
  }
}

void FeedWork::wake() {
  {
    const std::lock_guard lock(signal_->mutex);
    woken_ = true;
  }
  signal_->changed.notify_all();
}

Slots FeedWork::takeSlots() {
  for (const gpu::FramePool& pool : pools_)
    if (!pool.hasFree()) return {};  // only this thread takes slots, so free ones stay free
  Slots slots;
  for (gpu::FramePool& pool : pools_) slots.push_back(pool.take());
  return slots;
}

void FeedWork::deliver(Slots slots, FrameSet& set) {
  for (size_t i = 0; i < cameras(); ++i) {
    const auto& [group, layer] = placeOf(i);
    if (slots[group]->states[layer] == gpu::CameraState::frame) ++status_[i].delivered;
  }
  for (auto& slot : slots) {
    set.groups.push_back(std::move(slot));
  }
}

std::vector<CameraStatus> FeedWork::status() const {
  const std::lock_guard lock(signal_->mutex);
  return status_;
}

std::string FeedWork::failure() const {
  const std::lock_guard lock(signal_->mutex);
  return failure_;
}

base::TimeHistogram FeedWork::readTimes() const {
  const std::lock_guard lock(signal_->mutex);
  return readTimes_;
}

void FeedWork::askToEnd() {
  hold_.emplace(interrupt_);
  {
    const std::lock_guard lock(signal_->mutex);
    closing_ = true;
  }
  signal_->changed.notify_all();
}

}  // namespace glint::capture
