#include "app/shell/desk/settings_sweep.h"

#include <algorithm>
#include <utility>

#include "app/capture/source/source_kinds.h"
#include "app/study/advice/frame_sample.h"
#include "config/error.h"

namespace glint::shell {
namespace {

bool readsImages(const Settings& settings) {
  const auto isFile = [](const auto& input) { return filters::fileOf(input.second).has_value(); };
  return std::ranges::any_of(settings.filters, [&](const auto& filter) {
    return std::ranges::any_of(filter.inputs, isFile);
  });
}

}  // namespace

SettingsSweep::SettingsSweep(std::shared_ptr<const gpu::Device> device,
                             std::vector<Address> sources, size_t camera,
                             std::vector<study::SweepAxis> axes, const Settings& now,
                             std::optional<uint64_t> frames, std::function<void()> changed)
    : BackgroundTask(std::move(changed)),
      device_(std::move(device)),
      sources_(std::move(sources)),
      camera_(camera) {
  const auto outcome = std::make_shared<Outcome>();
  outcome->combinations = study::combine(axes, now);
  outcome->axes = std::move(axes);
  set([&](Progress& p) { p.total = frames; });
  start([this, outcome] { run(outcome); });
}

std::shared_ptr<const SettingsSweep::Outcome> SettingsSweep::outcome() const {
  const std::lock_guard lock(mutex_);
  return outcome_;
}

void SettingsSweep::run(const std::shared_ptr<Outcome>& outcome) {
  const auto progress = [&](uint64_t frames) { set([&](Progress& p) { p.frames = frames; }); };
  outcome->run = study::sweep(*device_, outcome->combinations,
                              {.sources = sources_, .progress = progress}, interrupt_);
  outcome->best = outcome->run.best();
  measureShownFrame(*outcome);
  const std::lock_guard lock(mutex_);
  outcome_ = outcome;
}

/// Measures one frame with all combinations; only once for combinations that differ only in
/// tracking.
void SettingsSweep::measureShownFrame(Outcome& outcome) {
  const auto source = capture::openSource(sources_[camera_], &interrupt_);
  study::FrameSample sample(*device_, *source, &interrupt_);
  const size_t shown = sample.frames() > 1 ? 1 : 0;
  outcome.picture = smallPicture(sample.frame(shown)->layer(0), kMostWidth, kMostHeight);
  // Markers for each combination of detection settings.
  std::vector<std::vector<shared::Detection>> found;
  for (const study::Combination& one : outcome.combinations) {
    if (interrupt_.isSet()) throw capture::Interrupted("cancelled");
    if (one.detection == found.size())
      found.push_back(readsImages(one.settings) ? std::vector<shared::Detection>()
                                                : sample.measure(one.settings, shown).markers);
    outcome.markers.push_back(found[one.detection]);
  }
}

}  // namespace glint::shell
