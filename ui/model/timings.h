// The delay of frames, their rate, and the time that each one cost.
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

/// The time from the arrival of each live camera's frame to its result. The session's thread fills
/// it, and the window's thread reads it.
class Latencies : public output::Sink {
 public:
  void accept(const motion::FramePtr& frame) override;

  struct Summary {
    size_t count = 0;            ///< number of the latest frames that count; 0: no live camera
    double median = 0, p99 = 0;  ///< s
    double most = 0;             ///< s, the end of the histogram
    std::vector<uint32_t> bins;
  };
  Summary summary(size_t bins) const;

 private:
  mutable std::mutex mutex_;
  shell::LatencyWindow window_;
};

/// The time from the moment at which a frame was due, or arrived from a live camera, until its
/// picture was handed to the screen. Main thread.
class DisplayLatency {
 public:
  /// Records that the frame has just been drawn. Further calls for the same frame do nothing.
  void drawn(const motion::Frame& frame);

  /// Returns the number of pictures that were measured; only the latest ones count.
  size_t count() const { return window_.count(); }
  /// Return the median and the 99th percentile of their latencies, s.
  double median() const { return window_.percentile(0.5); }
  double p99() const { return window_.percentile(0.99); }

 private:
  shell::LatencyWindow window_{1200};
  SetIndex set_;
  Pass pass_;
};

/// The times that the window measures of its own session. Main thread.
struct Timings {
  static constexpr size_t kMostFrames = 240;

  const Latencies& arrivals;
  DisplayLatency display = {};
  /// The passes of the latest timed frames, the newest last; at most kMostFrames.
  std::deque<std::vector<gpu::PassTime>> passes = {};
  shell::RateMeter processed{1}, drawn{1}, delivered{1};
};

/// Returns the time in s, by a clock that never goes back.
double monotonicSeconds();

}  // namespace glint::ui
