// When pictures are drawn.
#pragma once

#include <algorithm>
#include <chrono>

namespace glint::ui {

/// What makes the window draw, and when.
class FramePacer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit FramePacer(bool slowDevice) : slow_(slowDevice) {}

  void input() { owed_ = kFramesAfterInput; }
  /// Returns true if the pictures that have been drawn since the last input show all that it
  /// changed.
  bool inputShown() const { return owed_ <= 1; }
  /// Frames come as fast as can be: the device has better things to do than to draw.
  void hurry(bool on) { hurried_ = on; }
  void changed() { owed_ = std::max(owed_, 1); }
  bool wants() const { return owed_ > 0; }
  /// When the next picture may be drawn.
  Clock::time_point due() const { return last_ + interval(); }
  /// A picture was begun at `now`.
  void drawn(Clock::time_point now) {
    const Clock::duration cost = Clock::now() - now;
    cost_ = cost_.count() == 0 ? cost : (3 * cost_ + cost) / 4;
    // On the grid, so that the mean rate is that of the interval.
    last_ = now > due() && now - due() < interval() ? due() : now;
    --owed_;
  }
  void notDrawn(Clock::time_point now) { last_ = now; }

 private:
  /// Popups need a frame to measure themselves, and another one to be drawn.
  static constexpr int kFramesAfterInput = 3;

  /// On a CPU 30 a second, more while the user does something; elsewhere the screen sets the pace.
  Clock::duration interval() const {
    if (!slow_) return std::chrono::milliseconds(4);
    if (owed_ > 1) return std::chrono::milliseconds(16);
    // Where the CPU has much else to do, drawing must not hold up what is measured.
    if (hurried_)
      return std::clamp<Clock::duration>(20 * cost_, std::chrono::milliseconds(100),
                                         std::chrono::milliseconds(1000));
    return std::clamp<Clock::duration>(5 * cost_ / 2, std::chrono::milliseconds(33),
                                       std::chrono::milliseconds(200));
  }

  bool slow_, hurried_ = false;
  int owed_ = kFramesAfterInput;
  Clock::time_point last_{};
  Clock::duration cost_{};  // of a picture, of late
};

}  // namespace glint::ui
