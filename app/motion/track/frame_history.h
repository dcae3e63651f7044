// The times of a camera's frames.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <ranges>

#include "app/motion/track/observation.h"

namespace glint::motion {

/// The time of a frame. `clock` (s) always increases, whatever the source says.
struct Stamp : FrameTime {
  double clock = 0;
};

/// The stamps of a camera's frames, in order, as far back as they are needed. All tracks share this
/// one list, however long they are missed.
class FrameHistory {
 public:
  /// Adds a stamp, which must be later than all others.
  void add(const Stamp& stamp) { stamps_.push_back(stamp); }

  /// Drops the stamps of frames before `frame`.
  void forgetBefore(FrameNumber frame) {
    while (!stamps_.empty() && stamps_.front().frame < frame) stamps_.pop_front();
  }

  /// Returns the stamps of the frames between two frames, excluding both.
  auto between(FrameNumber after, FrameNumber before) const {
    return std::ranges::subrange(std::ranges::upper_bound(stamps_, after, {}, &Stamp::frame),
                                 std::ranges::lower_bound(stamps_, before, {}, &Stamp::frame));
  }

  /// Returns the first frame that is at most `frames` frames and at most `seconds` (of the clock)
  /// older than the last one. Returns 0 if there are no frames.
  FrameNumber firstWithin(uint64_t frames, double seconds) const {
    if (stamps_.empty()) return {};
    const Stamp& last = stamps_.back();
    const auto first = std::ranges::partition_point(stamps_, [&](const Stamp& stamp) {
      return last.frame - stamp.frame > frames || last.clock - stamp.clock > seconds;
    });
    // The last frame always satisfies this.
    return first->frame;
  }

  size_t size() const { return stamps_.size(); }

 private:
  std::deque<Stamp> stamps_;
};

}  // namespace glint::motion
