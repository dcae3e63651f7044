#include "app/shell/desk/threshold_trial.h"

#include <utility>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

ThresholdTrial::ThresholdTrial(std::shared_ptr<const gpu::Device> device, Open open,
                               Settings settings, std::function<void()> changed)
    : BackgroundTask(std::move(changed)),
      device_(std::move(device)),
      open_(std::move(open)),
      settings_(std::move(settings)) {
  start([this] { measure(); });
}

std::optional<study::Lamp> ThresholdTrial::lamp() const {
  const std::lock_guard lock(mutex_);
  return lamp_;
}

std::optional<study::Glare> ThresholdTrial::glare() const {
  const std::lock_guard lock(mutex_);
  return glare_;
}

void ThresholdTrial::measure() {
  const auto source = open_(interrupt_);
  study::FrameSample sample(*device_, *source, &interrupt_);
  if (interrupt_.isSet()) return;
  auto lamp = study::findLamp(sample, settings_);
  auto glare = lamp ? std::nullopt : study::findGlare(sample, settings_);
  const std::lock_guard lock(mutex_);
  lamp_ = std::move(lamp);
  glare_ = std::move(glare);
}

}  // namespace glint::shell
