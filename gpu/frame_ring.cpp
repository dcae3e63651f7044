#include "gpu/frame_ring.h"

#include <deque>
#include <utility>

namespace glint {

struct FrameRing::State {
  FrameFormat format;
  WhenFull whenFull;
  std::vector<std::unique_ptr<FrameSlot>> slots;
  std::vector<FrameSlot*> free;
  std::deque<FrameSlot*> written;
  uint64_t next = 0;
  uint64_t dropped = 0;
  uint64_t droppedSinceWrite = 0;
  bool finished = false;
  bool closed = false;
  mutable std::mutex mutex;
  std::condition_variable changed;

  void giveBack(FrameSlot* slot) {
    {
      const std::lock_guard lock(mutex);
      free.push_back(slot);
    }
    changed.notify_all();
  }
};

FrameRing::FrameRing(const Device& device, const FrameFormat& format, uint32_t slots,
                     WhenFull whenFull)
    : state_(std::make_shared<State>()) {
  state_->format = format;
  state_->whenFull = whenFull;
  state_->slots = makeSlots(device, format, slots);
  for (const auto& slot : state_->slots) state_->free.push_back(slot.get());
}

FrameRing::~FrameRing() {
  close();
}

FrameSlot* FrameRing::beginWrite() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  if (s.free.empty() && s.whenFull == WhenFull::replaceOldest && !s.written.empty()) {
    s.free.push_back(s.written.front());
    s.written.pop_front();
    ++s.dropped;
    // The frame after the replaced one is the one that misses its predecessor.
    const uint64_t before = s.free.back()->droppedBefore + 1;
    (s.written.empty() ? s.droppedSinceWrite : s.written.front()->droppedBefore) += before;
  }
  s.changed.wait(lock, [&] { return s.closed || !s.free.empty(); });
  if (s.closed) return nullptr;
  FrameSlot* slot = s.free.back();
  s.free.pop_back();
  slot->clear();
  return slot;
}

void FrameRing::endWrite(FrameSlot* slot) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    for (size_t i = 0; i < slot->stamps.size(); ++i) {
      if (slot->stamps[i]) slot->states[i] = CameraState::frame;
    }
    slot->index = s.next++;
    slot->droppedBefore = std::exchange(s.droppedSinceWrite, 0);
    s.written.push_back(slot);
  }
  s.changed.notify_all();
}

void FrameRing::finishWriting() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->finished = true;
  }
  state_->changed.notify_all();
}

FrameLease FrameRing::read() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  s.changed.wait(lock, [&] { return s.closed || s.finished || !s.written.empty(); });
  if (s.closed || s.written.empty()) return nullptr;
  FrameSlot* slot = s.written.front();
  s.written.pop_front();
  return {slot, [state = state_](const FrameSlot* done) {
            state->giveBack(const_cast<FrameSlot*>(done));
          }};
}

void FrameRing::close() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
  }
  state_->changed.notify_all();
}

uint64_t FrameRing::dropped() const {
  const std::lock_guard lock(state_->mutex);
  return state_->dropped;
}

const FrameFormat& FrameRing::format() const {
  return state_->format;
}

}  // namespace glint
