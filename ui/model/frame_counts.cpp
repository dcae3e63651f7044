#include "ui/model/frame_counts.h"

#include "ui/model/window_model.h"

namespace glint::ui {
namespace {

double thresholdOf(const WindowModel& model) {
  for (size_t i = 0; i < model.tracks.cameras().size(); ++i) {
    const LayerMeasurement& measured = *model.tracks.cameras()[i].measured;
    if (measured.stamp)
      return static_cast<double>(measured.threshold) / model.format(i).fullScale();
  }
  return 0;
}

}  // namespace

void FrameCounts::follow(const WindowModel& model) {
  constexpr double kHeld = 0.2;  // s
  const double now = monotonicSeconds();
  if (model.playing() && now - at < kHeld) return;
  *this = {model.tracks.markers(), model.tracks.rows(), thresholdOf(model), now};
}

}  // namespace glint::ui
