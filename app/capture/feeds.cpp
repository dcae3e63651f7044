#include "app/capture/feeds.h"

#include <algorithm>
#include <utility>

#include "app/capture/feed_work.h"

namespace glint {

CameraState FrameSet::stateOf(const CameraGroups::Place& camera) const {
  return groups[camera.group]->states[camera.layer];
}

std::optional<FrameStamp> FrameSet::stampOf(const CameraGroups::Place& camera) const {
  return groups[camera.group]->stamps[camera.layer];
}

FeedWork::FeedWork(const Device& device, const CameraGroups& groups, Interrupt& interrupt)
    : groups_(groups), interrupt_(interrupt), status_(groups.places.size()) {
  const auto freed = [signal = signal_] {
    { const std::lock_guard lock(signal->mutex); }  // nobody is between a look and a wait
    signal->changed.notify_all();
  };
  for (const FrameFormat& format : groups.formats)
    pools_.emplace_back(device, format, kFeedSlots, freed);
}

Feeds::Outcome FeedWork::next(FrameSet& set, std::chrono::milliseconds patience) {
  set = {};  // before the lock: the leases in it come back through it
  const auto deadline = Clock::now() + patience;
  Lock lock(signal_->mutex);
  for (;;) {
    if (std::exchange(woken_, false)) return Feeds::Outcome::nothing;
    auto retry = std::min(deadline, Clock::now() + kLook);
    const Feeds::Outcome outcome = poll(lock, set, retry);
    if (outcome != Feeds::Outcome::nothing) return outcome;
    if (interrupt_.isSet()) return Feeds::Outcome::ended;
    if (Clock::now() >= deadline) return Feeds::Outcome::nothing;
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
  for (const FramePool& pool : pools_)
    if (!pool.hasFree()) return {};  // only this thread takes, so what is free stays so
  Slots slots;
  for (FramePool& pool : pools_) slots.push_back(pool.take());
  return slots;
}

void FeedWork::deliver(Slots slots, FrameSet& set) {
  for (size_t i = 0; i < cameras(); ++i) {
    const auto& [group, layer] = placeOf(i);
    if (slots[group]->states[layer] == CameraState::frame) ++status_[i].delivered;
  }
  for (auto& slot : slots) {
    set.groups.push_back(std::move(slot));
  }
}

std::vector<Feeds::CameraStatus> FeedWork::status() const {
  const std::lock_guard lock(signal_->mutex);
  return status_;
}

std::string FeedWork::failure() const {
  const std::lock_guard lock(signal_->mutex);
  return failure_;
}

TimeHistogram FeedWork::readTimes() const {
  const std::lock_guard lock(signal_->mutex);
  return readTimes_;
}

Feeds::Feeds(const Device& device, std::vector<std::unique_ptr<Source>> sources,
             const Settings::Live& live, Interrupt& interrupt) {
  std::vector<ImageFormat> formats;
  length_ = 0;
  for (const auto& source : sources) {
    formats.push_back(source->format());
    live_ = live_ || source->isLive();
    canSeek_ = canSeek_ && source->canSeek();
    const auto frames = source->frameCount();
    length_ = frames && length_ ? std::optional(std::max(*frames, *length_)) : std::nullopt;
  }
  canSeek_ = canSeek_ && !live_;
  groups_ = groupCameras(formats);
  work_ = live_ ? makeLiveFeeds(device, groups_, std::move(sources), live, interrupt)
                : makeRecordedFeeds(device, groups_, std::move(sources), interrupt);
}

Feeds::~Feeds() = default;

Feeds::Outcome Feeds::next(FrameSet& set, std::chrono::milliseconds patience) {
  return work_->next(set, patience);
}

void Feeds::wake() {
  work_->wake();
}

void Feeds::seek(SetIndex set, Epoch epoch) {
  if (!canSeek_) throw Error("these sources cannot be read from another place");
  work_->seek(set, epoch);
}

void Feeds::adjust(const Settings& settings) {
  work_->adjust(settings);
}

std::chrono::steady_clock::time_point Feeds::zero() const {
  return work_->zero();
}

std::vector<Feeds::CameraStatus> Feeds::status() const {
  return work_->status();
}

std::string Feeds::failure() const {
  return work_->failure();
}

TimeHistogram Feeds::readTimes() const {
  return work_->readTimes();
}

}  // namespace glint
