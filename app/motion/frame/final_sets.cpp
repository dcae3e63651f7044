#include "app/motion/frame/final_sets.h"

#include <algorithm>

namespace glint::motion {

uint64_t framesUntilFinal(const Settings::Track& settings) {
  return static_cast<uint64_t>(settings.maxGap + settings.confirm + 2);
}

void FinalSets::see(const Frame& frame, const Settings::Track& settings) {
  const uint64_t wait = framesUntilFinal(settings);
  SetIndex end = frame.set + 1;
  open_.resize(frame.cameras.size());
  for (size_t i = 0; i < open_.size(); ++i) {
    std::deque<SetIndex>& open = open_[i];
    const gpu::LayerMeasurement& measured = frame.cameras[i].measured;
    if (measured.stamp) open.push_back(frame.set);
    if (measured.state == gpu::CameraState::ended) open.clear();
    while (open.size() > wait) open.pop_front();
    if (!open.empty()) end = std::min(end, open.front());
  }
  end_ = std::max(end_, end);
}

}  // namespace glint::motion
