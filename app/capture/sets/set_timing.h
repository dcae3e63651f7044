// Decides which frames of live cameras go together, and how long a set waits for them. Internal to
// capture/.
#pragma once

#include <chrono>
#include <optional>
#include <span>

namespace glint::capture {

/// The numbers that steer which frames of live cameras make a set. tests/app/set_timing_test.cpp
/// guards the values.
struct SetTimingOptions {
  /// The width of the window while no camera's interval is known.
  std::chrono::duration<double, std::milli> firstWindow{10};
  /// A set does not wait for a camera that has been silent for this many of its intervals. Raising
  /// it waits longer for a camera that has failed.
  double silentIntervals = 3;
  /// The weight of the latest interval in the running mean of a camera's intervals, 0 to 1. Raising
  /// it follows changes of the rate sooner, and lets jitter change the window more.
  double newestShare = 0.2;
  /// The width by which a window exceeds the necessary one, in intervals, so that jitter does not
  /// decide which frames go together. Raising it tolerates more jitter.
  double extraWidth = 0.1;
  /// The largest width of a window, and the longest wait, in intervals. They end before the next
  /// frames come.
  double maxWidth = 0.85;
};

/// The times of a set, s: that of its first frame, and the latest that another frame may have.
struct SetSpan {
  double first, last;
};

/// The times of a live camera's frames, as far as they are known.
struct CameraTiming {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  bool sends = false;         ///< true if the camera is neither lost nor at its end
  bool fresh = false;         ///< true if its newest frame is in no set yet
  double newest = 0;          ///< s: time of the newest frame
  Clock::time_point arrived;  ///< time at which that frame arrived
  Seconds interval{0};        ///< running mean of the frames' intervals; 0: not known

  /// Adds a frame, which was taken `count` intervals after the frame before.
  void see(double time, double count, Clock::time_point now, const SetTimingOptions& options = {});
  /// Notes that the camera is away or at its end: no interval ends at its next frame.
  void lose() { sends = false, interval = Seconds{0}; }

  /// Returns true if the camera has a frame for this set.
  bool belongsTo(const SetSpan& set) const { return fresh && newest <= set.last; }
};

/// Returns the times of the next set; empty while no camera has a fresh frame. `window`: ms, as in
/// the settings; 0: wide enough for cameras of one rate that are not synchronised to have a frame
/// in each set.
std::optional<SetSpan> nextSet(std::span<const CameraTiming> cameras, double window,
                               const SetTimingOptions& options = {});

/// Returns the time until which the set waits for cameras whose frames are due: at most `wait` ms
/// after the frames were due, and not so long that later frames replace those that are there.
/// `wait` = 0: it waits for no camera.
CameraTiming::Clock::time_point waitsUntil(std::span<const CameraTiming> cameras,
                                           const SetSpan& set, double wait,
                                           CameraTiming::Clock::time_point now,
                                           const SetTimingOptions& options = {});

}  // namespace glint::capture
