// Decides when the window draws its next picture.
#pragma once

#include <algorithm>
#include <chrono>

namespace glint::ui {

/// Counts the pictures that the window still has to draw, and limits how often it draws. Main
/// thread.
class FramePacer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit FramePacer(bool slowDevice) : slow_(slowDevice) {}

  /// Asks for the pictures that follow an input.
  void input() { owed_ = kFramesAfterInput; }
  /// Returns true if the pictures that have been drawn since the last input show all that it
  /// changed.
  bool inputShown() const { return owed_ <= 1; }
  /// Limits drawing further while the session tracks as fast as it can, because the device has
  /// better things to do than to draw.
  void hurry(bool on) { hurried_ = on; }
  /// Asks for one picture, because something that is shown has changed.
  void changed() { owed_ = std::max(owed_, 1); }
  /// Asks for the pictures that a tooltip needs: ImGui only measures it in the first one.
  void tooltip() { owed_ = std::max(owed_, 2); }
  /// Returns true if a picture is asked for.
  bool wants() const { return owed_ > 0; }
  /// Returns the earliest time at which the next picture may be drawn.
  Clock::time_point due() const { return last_ + interval(); }
  /// Records that a picture was begun at `now` and is finished at present.
  void drawn(Clock::time_point now) {
    const Clock::duration cost = Clock::now() - now;
    cost_ = cost_.count() == 0 ? cost : (3 * cost_ + cost) / 4;
    // Keeps to a grid of intervals, so that a picture that is a little late does not lower the mean
    // rate.
    last_ = now > due() && now - due() < interval() ? due() : now;
    --owed_;
  }
  /// Records that no picture could be drawn at `now`; the next attempt comes an interval later.
  void notDrawn(Clock::time_point now) { last_ = now; }

 private:
  /// Pictures that are drawn after each input. A popup measures itself in its first picture, and is
  /// drawn in the next one.
  static constexpr int kFramesAfterInput = 3;

  /// Returns the shortest time between two pictures. On a CPU that is 33 ms or more, and 16 ms
  /// while the user does something. On other devices the screen limits the rate.
  Clock::duration interval() const {
    if (!slow_) return std::chrono::milliseconds(4);
    if (owed_ > 1) return std::chrono::milliseconds(16);
    // Keeps drawing below a twentieth of the time, because the CPU also does the tracking.
    if (hurried_)
      return std::clamp<Clock::duration>(20 * cost_, std::chrono::milliseconds(100),
                                         std::chrono::milliseconds(1000));
    return std::clamp<Clock::duration>(5 * cost_ / 2, std::chrono::milliseconds(33),
                                       std::chrono::milliseconds(200));
  }

  bool slow_, hurried_ = false;   // slow_: true if the device is a CPU
  int owed_ = kFramesAfterInput;  // pictures that are still to be drawn
  Clock::time_point last_{};      // time of the last picture or attempt
  Clock::duration cost_{};        // moving average of the time that a picture takes
};

}  // namespace glint::ui
