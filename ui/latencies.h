// How long frames of live cameras are on their way, and what each frame cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "app/desk/rates.h"
#include "app/frame/session_frame.h"
#include "gpu/recorder.h"

namespace glint::ui {

/// From the arrival of each live camera's frame to its result: taken on the session's thread, read
/// on the window's.
class Latencies : public FrameListener {
 public:
  void take(const SessionFrame& frame) override;

  struct Summary {
    size_t count = 0;            ///< of the latest frames; 0: no live camera
    double median = 0, p99 = 0;  ///< s
    double most = 0;             ///< s, what the histogram ends with
    std::vector<uint32_t> bins;
  };
  Summary summary(size_t bins) const;

 private:
  mutable std::mutex mutex_;
  LatencyWindow window_;
};

/// The passes of the latest frames, the newest last. Main thread.
class PassHistory {
 public:
  static constexpr size_t kMost = 240;  ///< frames

  void add(std::vector<PassTime> passes) {
    frames_.push_back(std::move(passes));
    if (frames_.size() > kMost) frames_.pop_front();
  }
  const std::deque<std::vector<PassTime>>& frames() const { return frames_; }

 private:
  std::deque<std::vector<PassTime>> frames_;
};

}  // namespace glint::ui
