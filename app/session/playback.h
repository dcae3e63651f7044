// Which frame a session takes next, and when: pausing, stepping, range, loop and speed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace glint {

/// Decides; does nothing itself. Times are those of the frames' stamps, s, and of a steady clock.
class Playback {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kLeastSpeed = 1e-3, kMostSpeed = 1000;

  void play();
  void pause();
  /// Plays `frames` more (>= 1), then pauses. At most 2^53 at once.
  void step(uint64_t frames);
  /// One frame is wanted although it is paused: after a jump.
  void showOne();
  /// 0: as fast as possible.
  void setSpeed(double factor);
  void setLoop(bool on) { loop_ = on; }
  void setRange(uint64_t in, std::optional<uint64_t> out);

  bool playing() const { return playing_; }
  bool loops() const { return loop_; }
  double speed() const { return speed_; }
  uint64_t in() const { return in_; }
  std::optional<uint64_t> out() const { return out_; }

  /// Whether a frame is to be taken now, apart from its time.
  bool wantsFrame() const { return playing_ || owed_ > 0; }
  /// Whether frame `index` lies beyond the range.
  bool beyond(uint64_t index) const { return out_ && index > *out_; }
  bool inRange(uint64_t index) const { return index >= in_ && !beyond(index); }

  /// When the frame of time `time` is due, of those that are played in pace; empty: at once.
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
  uint64_t in_ = 0;
  std::optional<uint64_t> out_;
  struct Zero {
    Clock::time_point at;
    double time;
  };
  std::optional<Zero> zero_;
};

}  // namespace glint
