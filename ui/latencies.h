// How long frames of live cameras are on their way, and what each frame cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "app/desk/latency_window.h"
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

/// From when each frame was due, or came from a live camera, to its picture, handed to the screen.
/// Main thread.
class Lateness {
 public:
  /// It was drawn just now; once more counts no more.
  void drawn(const SessionFrame& frame);

  size_t count() const { return window_.count(); }           ///< of the latest pictures
  double median() const { return window_.percentile(0.5); }  ///< s
  double p99() const { return window_.percentile(0.99); }    ///< s

 private:
  LatencyWindow window_{1200};
  uint64_t index_ = 0;
  uint32_t pass_ = 0;
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
