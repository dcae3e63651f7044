// Which frames of live cameras go together, and how long a set waits for them. Internal to
// capture/.
#pragma once

#include <chrono>
#include <optional>
#include <span>

namespace glint::capture {

/// The times of a set, s: of its first frame, and the latest that another one may have.
struct SetSpan {
  double first, last;
};

/// What is known of the times of a live camera's frames.
struct CameraTiming {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  bool sends = false;         ///< it is not lost, nor at its end
  bool fresh = false;         ///< its newest frame is in no set yet
  double newest = 0;          ///< the time of that frame, s
  Clock::time_point arrived;  ///< when that frame came
  Seconds interval{0};        ///< between frames' times, a running mean; 0: not known

  /// Another frame, `count` intervals after the one before.
  void see(double time, double count, Clock::time_point now);
  /// It is away, or at its end: its next frame follows none.
  void lose() { sends = false, interval = Seconds{0}; }

  /// Whether it has a frame for this set.
  bool belongsTo(const SetSpan& set) const { return fresh && newest <= set.last; }
};

/// Of the next set; empty while no frame is there. `window`: ms, of the settings, or 0: where
/// cameras of one rate run freely, each set holds all of them.
std::optional<SetSpan> nextSet(std::span<const CameraTiming> cameras, double window);

/// Until when the set waits for cameras whose frames are due: `wait` ms longer than they need at
/// most, and not so long that later frames replace those that are there. 0: for nobody.
CameraTiming::Clock::time_point waitsUntil(std::span<const CameraTiming> cameras,
                                           const SetSpan& set, double wait,
                                           CameraTiming::Clock::time_point now);

}  // namespace glint::capture
