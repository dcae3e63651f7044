#include "app/output/report/frame_times.h"

#include <algorithm>
#include <cmath>

namespace glint::output::report {

void FrameTimes::add(uint32_t frame, double time) {
  if (!frames_.empty() && frames_.back().frame == frame) return;
  if (!frames_.empty() && frames_.back().frame > frame) sorted_ = false;
  frames_.push_back({frame, time});
  // A file that is sorted by track names every frame again and again, so repetitions are removed in
  // time.
  constexpr size_t kFew = 1024;
  if (!sorted_ && frames_.size() > 2 * compacted_ + kFew) finish();
}

void FrameTimes::finish() {
  if (!sorted_) {
    std::ranges::stable_sort(frames_, {}, &FrameTime::frame);
    const auto end =
        std::unique(frames_.begin(), frames_.end(),
                    [](const FrameTime& a, const FrameTime& b) { return a.frame == b.frame; });
    frames_.erase(end, frames_.end());
    compacted_ = frames_.size();
    sorted_ = true;
  }
  interval_ = intervals(*this).median;
}

double FrameTimes::timeAt(uint32_t frame) const {
  if (frames_.empty()) return 0;
  const auto next =
      std::lower_bound(frames_.begin(), frames_.end(), frame,
                       [](const FrameTime& at, uint32_t wanted) { return at.frame < wanted; });
  if (next != frames_.end()) return next->time;
  return frames_.back().time + interval_ * (frame - frames_.back().frame);
}

Intervals intervals(const FrameTimes& times) {
  const auto& frames = times.all();
  std::vector<double> steps;
  uint64_t missing = 0;
  for (size_t i = 1; i < frames.size(); ++i) {
    const uint32_t step = frames[i].frame - frames[i - 1].frame;
    if (step == 1) steps.push_back(frames[i].time - frames[i - 1].time);
    missing += step - 1;
  }
  if (steps.empty()) return {.missing = missing};
  std::ranges::sort(steps);
  const auto ranked = [&](double share) {
    const double rank = std::ceil(share * static_cast<double>(steps.size()));
    return steps[static_cast<size_t>(std::max(1.0, rank)) - 1];
  };
  return {ranked(0.5), ranked(0.99), steps.back(), steps.size(), missing};
}

}  // namespace glint::output::report
