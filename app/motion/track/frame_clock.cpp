#include "app/motion/track/frame_clock.h"

#include <algorithm>
#include <cmath>

namespace glint::motion {

double FrameClock::advance(FrameNumber frame, double time) {
  double step = 0;
  if (started_) {
    const double frames = static_cast<double>(frame - frame_);
    step = time - time_;
    if (std::isfinite(step) && step > 0)
      remember(step / frames);
    else
      step = interval_ * frames;
  }
  started_ = true;
  frame_ = frame;
  time_ = time;
  now_ += step;
  return step;
}

void FrameClock::remember(double perFrame) {
  recent_[seen_++ % recent_.size()] = perFrame;
  std::array<double, kSteps> sorted = recent_;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(seen_, sorted.size()));
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  interval_ = *middle;
}

}  // namespace glint::motion
