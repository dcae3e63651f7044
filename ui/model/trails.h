// Where tracks came from: the places of the last seconds, of every frame, though not every frame is
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
  double time = 0;      ///< s
  float x = 0, y = 0;   ///< px of the image
  bool joined = false;  ///< the track was there in the camera's frame before this one, too
};
using TrailMap = std::map<TrackId, std::vector<TrailPoint>>;

/// Of one session: filled by its thread, read by the window's. Memory is bounded by kMostSeconds
/// and kMostPoints.
class Trails : public output::Sink {
 public:
  static constexpr double kMostSeconds = 10;
  static constexpr size_t kMostPoints = 600;  ///< a track

  void accept(const motion::FramePtr& frame) override;

  /// Of the tracks of a camera that are alive in set `set` of pass `pass`: up to that set.
  TrailMap of(size_t camera, Pass pass, SetIndex set, double seconds) const;

  /// While an earlier frame is looked at, what is known now is kept for it, however long that
  /// takes.
  void hold(bool on);

 private:
  struct Camera {
    std::map<TrackId, std::deque<TrailPoint>> tracks;
    SetIndex before, latest;  // the last two sets that it gave a frame of
  };
  mutable std::mutex mutex_;
  Pass pass_;
  std::vector<Camera> cameras_;
  std::optional<std::vector<Camera>> held_;
};

}  // namespace glint::ui
