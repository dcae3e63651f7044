// Where tracks came from: the places of the last seconds, of every frame, though not every frame is
// drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "app/frame/session_frame.h"

namespace glint::ui {

struct TrailPoint {
  uint64_t frame = 0;
  double time = 0;     ///< s
  float x = 0, y = 0;  ///< px of the image
};

/// Filled by the session's thread, read by the window's. Memory is bounded by kMostSeconds and
/// kMostPoints.
class Trails : public FrameListener {
 public:
  static constexpr double kMostSeconds = 10;
  static constexpr size_t kMostPoints = 600;  ///< a track

  void take(const SessionFrame& frame) override;

  /// Of the tracks of a camera that are alive in frame `frame` of pass `pass`: up to that frame.
  std::map<uint64_t, std::vector<TrailPoint>> of(size_t camera, uint32_t pass, uint64_t frame,
                                                 double seconds) const;

 private:
  using Camera = std::map<uint64_t, std::deque<TrailPoint>>;
  mutable std::mutex mutex_;
  uint32_t pass_ = 0;
  std::vector<Camera> cameras_;
};

}  // namespace glint::ui
