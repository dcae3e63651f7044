// How many markers the latest frames hold, and which tracks they have.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/sinks/sink.h"
#include "app/session/track_history.h"

namespace glint::ui {

/// The markers and tracks of one session's latest sets, for the timeline of live cameras. The
/// session's thread fills it, and the window's thread reads it. Memory is bounded by kSeconds and
/// kMostSets.
class Presence : public output::Sink {
 public:
  static constexpr double kSeconds = 30;
  static constexpr size_t kMostSets = 1 << 15;

  void accept(const motion::FramePtr& frame) override;

  struct Stretch {
    SetIndex first;                ///< number of the set that `counts` begins with
    std::vector<uint32_t> counts;  ///< markers in each set
    /// Stretches in which each track was there, by id and first set.
    std::vector<session::TrackStretch> tracks;
    double rate = 0;  ///< sets/s; 0: not known
  };
  /// Returns the latest sets up to `last`, of one camera, or of all together.
  Stretch of(std::optional<size_t> camera, SetIndex last) const;

  /// Keeps what is known now for as long as an earlier frame is shown.
  void hold(bool on);

 private:
  struct Camera {
    // Markers in each set; where the camera has no frame, those of its frame before.
    std::deque<uint32_t> counts;
    std::map<TrackId, std::deque<session::TrackStretch>> tracks;
    SetIndex before;  // the last set in which the camera had a frame
  };
  struct Latest {
    SetIndex first;            // the set that all deques of sets begin with
    std::deque<double> times;  // s, one for each set
    std::vector<Camera> cameras;
  };
  mutable std::mutex mutex_;
  Pass pass_;
  Latest latest_;
  std::optional<Latest> held_;  // the latest frames as they were at hold(true)
};

}  // namespace glint::ui
