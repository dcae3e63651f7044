#include "ui/model/timings.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace glint::ui {

double monotonicSeconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void Latencies::accept(const motion::FramePtr& frame) {
  const double at = monotonicSeconds();
  const std::lock_guard lock(mutex_);
  for (const motion::CameraFrame& camera : frame->cameras) {
    const auto& stamp = camera.measured.stamp;
    if (stamp && stamp->arrival > 0) window_.add(std::max(0.0, at - stamp->arrival));
  }
}

Latencies::Summary Latencies::summary(size_t bins) const {
  const std::lock_guard lock(mutex_);
  if (window_.count() == 0) return {};
  Summary summary{.count = window_.count(),
                  .median = window_.percentile(0.5),
                  .p99 = window_.percentile(0.99),
                  .most = 0,
                  .bins = {}};
  // Ends the histogram at 1, 2, 5 or 10 times a power of ten, so that it holds nearly all frames.
  const double power = std::pow(10, std::floor(std::log10(std::max(summary.p99, 1e-4))));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    summary.most = step * power;
    if (summary.most >= summary.p99 * 1.1) break;
  }
  summary.bins = window_.histogram(bins, summary.most);
  return summary;
}

void DisplayLatency::drawn(const motion::Frame& frame) {
  const bool again = window_.count() > 0 && frame.set == set_ && frame.pass == pass_;
  double due = frame.due;
  for (const motion::CameraFrame& camera : frame.cameras) {
    const auto& stamp = camera.measured.stamp;
    if (due == 0 && stamp) due = stamp->arrival;
  }
  if (due <= 0 || again) return;
  set_ = frame.set;
  pass_ = frame.pass;
  window_.add(std::max(0.0, monotonicSeconds() - due));
}

}  // namespace glint::ui
