// When the frames of a camera were.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <ranges>

#include "app/track/observation.h"

namespace glint {

/// When a frame was: `clock` (s) always advances, whatever its source says.
struct Stamp : FrameTime {
  double clock = 0;
};

/// The stamps of a camera's frames, in order, as far back as anybody needs them: one list for all
/// tracks, however many of them are away.
class FrameHistory {
 public:
  /// Later than all others.
  void add(const Stamp& stamp) { stamps_.push_back(stamp); }

  /// Those of frames before `frame` are needed no more.
  void forgetBefore(FrameNumber frame) {
    while (!stamps_.empty() && stamps_.front().frame < frame) stamps_.pop_front();
  }

  /// Those between two frames, without both.
  auto between(FrameNumber after, FrameNumber before) const {
    return std::ranges::subrange(std::ranges::upper_bound(stamps_, after, {}, &Stamp::frame),
                                 std::ranges::lower_bound(stamps_, before, {}, &Stamp::frame));
  }

  /// The first frame that is at most so many frames and so many seconds (of the clock) older than
  /// the last one; 0 without frames.
  FrameNumber firstWithin(uint64_t frames, double seconds) const {
    if (stamps_.empty()) return {};
    const Stamp& last = stamps_.back();
    const auto first = std::ranges::partition_point(stamps_, [&](const Stamp& stamp) {
      return last.frame - stamp.frame > frames || last.clock - stamp.clock > seconds;
    });
    return first->frame;  // the last one at the latest
  }

  size_t size() const { return stamps_.size(); }

 private:
  std::deque<Stamp> stamps_;
};

}  // namespace glint
