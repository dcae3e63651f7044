// How many markers the latest frames hold, and which tracks.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/sinks/sink.h"
#include "app/session/track_history.h"

namespace glint::ui {

/// Of one session: filled by its thread, read by the window's. Memory is bounded by kSeconds and
/// kMostSets.
class Presence : public output::Sink {
 public:
  static constexpr double kSeconds = 30;
  static constexpr size_t kMostSets = 1 << 15;

  void accept(const motion::FramePtr& frame) override;

  struct Stretch {
    SetIndex first;                             ///< of `counts`
    std::vector<uint32_t> counts;               ///< markers in each set
    std::vector<session::TrackStretch> tracks;  ///< when each was there, by id and first set
    double rate = 0;                            ///< sets/s; 0: not known
  };
  /// Of a camera, or of all together: the latest sets, up to `last`.
  Stretch of(std::optional<size_t> camera, SetIndex last) const;

  /// While an earlier frame is looked at, what is known now is kept for it, however long that
  /// takes.
  void hold(bool on);

 private:
  struct Camera {
    std::deque<uint32_t> counts;  // where it has no frame, those of its frame before
    std::map<TrackId, std::deque<session::TrackStretch>> tracks;
    SetIndex before;  // the last set in which it had a frame
  };
  struct Latest {
    SetIndex first;            // of all deques of sets
    std::deque<double> times;  // s, a set each
    std::vector<Camera> cameras;
  };
  mutable std::mutex mutex_;
  Pass pass_;
  Latest latest_;
  std::optional<Latest> held_;
};

}  // namespace glint::ui
