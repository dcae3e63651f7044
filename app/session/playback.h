// Which frame a session takes next, and when: pausing, stepping, range, loop and speed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "config/numbers.h"

namespace glint {

/// Only decides. Times are those of the frames' stamps, in seconds, and of a steady clock.
class Playback {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kLeastSpeed = 1e-3, kMostSpeed = 1000;

  void play();
  void pause();
  /// Plays `frames` more (>= 1), then pauses. At most 2^53 at once.
  void step(uint64_t frames);
  /// Takes back steps that are still to come, all but `kept`; how many of `frames` it could not.
  uint64_t takeBack(uint64_t frames, uint64_t kept);
  /// One frame is wanted although it is paused: after a jump.
  void showOne();
  /// 0: as fast as possible.
  void setSpeed(double factor);
  void setLoop(bool on) { loop_ = on; }
  void setRange(SetIndex in, std::optional<SetIndex> out);

  bool playing() const { return playing_; }
  bool loops() const { return loop_; }
  double speed() const { return speed_; }
  SetIndex in() const { return in_; }
  std::optional<SetIndex> out() const { return out_; }

  /// Whether to take a frame now, apart from its time.
  bool wantsFrame() const { return playing_ || owed_ > 0; }
  /// Whether a set lies beyond the range.
  bool beyond(SetIndex set) const { return out_ && set > *out_; }
  bool inRange(SetIndex set) const { return set >= in_ && !beyond(set); }

  /// When the frame of time `time` is due, if frames are played in pace; empty: at once.
  std::optional<Clock::time_point> due(double time, Clock::time_point now);
  /// A frame was taken.
  void taken();
  /// The next frame does not follow the last one: its time is the clock's new zero, and of a step
  /// nothing is left to be done.
  void jumped();

 private:
  bool playing_ = true, loop_ = false;
  uint64_t owed_ = 0;  // frames wanted while paused
  double speed_ = 0;
  SetIndex in_;
  std::optional<SetIndex> out_;
  struct Zero {
    Clock::time_point at;
    double time;
  };
  std::optional<Zero> zero_;
};

}  // namespace glint
