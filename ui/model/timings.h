// How long frames are on their way, how often they come, and what each one cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "app/output/sinks/sink.h"
#include "app/shell/desk/rates.h"
#include "gpu/recorder.h"

namespace glint::ui {

/// From the arrival of each live camera's frame to its result: taken on the session's thread, read
/// on the window's.
class Latencies : public output::Sink {
 public:
  void accept(const motion::FramePtr& frame) override;

  struct Summary {
    size_t count = 0;            ///< of the latest frames; 0: no live camera
    double median = 0, p99 = 0;  ///< s
    double most = 0;             ///< s, what the histogram ends with
    std::vector<uint32_t> bins;
  };
  Summary summary(size_t bins) const;

 private:
  mutable std::mutex mutex_;
  shell::LatencyWindow window_;
};

/// From when each frame was due, or came from a live camera, to its picture, handed to the screen.
/// Main thread.
class DisplayLatency {
 public:
  /// It was drawn just now; only the first call counts.
  void drawn(const motion::Frame& frame);

  size_t count() const { return window_.count(); }           ///< of the latest pictures
  double median() const { return window_.percentile(0.5); }  ///< s
  double p99() const { return window_.percentile(0.99); }    ///< s

 private:
  shell::LatencyWindow window_{1200};
  SetIndex set_;
  Pass pass_;
};

/// What the window measures of its own session. Main thread.
struct Timings {
  static constexpr size_t kMostFrames = 240;

  const Latencies& arrivals;
  DisplayLatency display = {};
  std::deque<std::vector<gpu::PassTime>> passes =
      {};  ///< of the latest timed frames, the newest last
  shell::RateMeter processed{1}, drawn{1}, delivered{1};
};

/// s, a clock that never goes back.
double monotonicSeconds();

}  // namespace glint::ui
