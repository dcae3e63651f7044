// The places of tracks during the last seconds, from every frame, also from those that are not
// drawn.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/sinks/sink.h"
#include "config/numbers.h"

namespace glint::ui {

struct TrailPoint {
  SetIndex set;
  double time = 0;     ///< s
  float x = 0, y = 0;  ///< px of the image
  /// True if the track was also in the camera's frame before this one.
  bool joined = false;
};
using TrailMap = std::map<TrackId, std::vector<TrailPoint>>;

/// The recent places of one session's tracks. The session's thread fills it, and the window's
/// thread reads it. Memory is bounded by kMostSeconds and kMostPoints.
class Trails : public output::Sink {
 public:
  static constexpr double kMostSeconds = 10;
  static constexpr size_t kMostPoints = 600;  ///< the largest number of points of one track

  void accept(const motion::FramePtr& frame) override;

  /// Returns the trails, up to set `set` of pass `pass`, of the camera's tracks that exist in that
  /// set.
  TrailMap of(size_t camera, Pass pass, SetIndex set, double seconds) const;

  /// Keeps what is known now for as long as an earlier frame is shown.
  void hold(bool on);

 private:
  struct Camera {
    std::map<TrackId, std::deque<TrailPoint>> tracks;
    SetIndex before, latest;  // the last two sets in which the camera had a frame
  };
  mutable std::mutex mutex_;
  Pass pass_;
  std::vector<Camera> cameras_;
  std::optional<std::vector<Camera>> held_;  // the trails as they were at hold(true)
};

}  // namespace glint::ui
