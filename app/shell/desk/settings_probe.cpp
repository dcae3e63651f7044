#include "app/shell/desk/settings_probe.h"

#include <algorithm>
#include <utility>

#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::shell {
SettingsProbe::SettingsProbe(std::shared_ptr<const gpu::Device> device, Address source,
                             Settings now, std::function<void()> changed)
    : SettingsProbe(
          std::move(device),
          [address = std::move(source)](const capture::Interrupt& interrupt) {
            return capture::openSource(address, &interrupt);
          },
          std::move(now), std::move(changed)) {}

SettingsProbe::SettingsProbe(std::shared_ptr<const gpu::Device> device, Open open, Settings now,
                             std::function<void()> changed)
    : BackgroundTask(std::move(changed)),
      device_(std::move(device)),
      open_(std::move(open)),
      now_(std::move(now)) {
  set([](Progress& p) { p.total = study::kMostTrials; });
  start([this] { run(); });
}

std::shared_ptr<const SettingsProbe::Outcome> SettingsProbe::outcome() const {
  const std::lock_guard lock(mutex_);
  return outcome_;
}

void SettingsProbe::run() {
  const auto goOn = [&] {
    if (interrupt_.isSet()) throw capture::Interrupted("cancelled");
  };
  const auto source = open_(interrupt_);
  if (source->isLive()) throw UsageError("a live source cannot be probed: record it first");
  study::FrameSample sample(*device_, *source, &interrupt_);
  goOn();
  auto outcome = std::make_shared<Outcome>();
  const study::SettingsFor forKind = [&](const study::MarkerKind& kind) {
    return study::settingsOfKind(kind, now_);
  };
  study::TrialMemory trials(sample, [&](size_t count) {
    goOn();
    set([&](Progress& p) { p.frames = std::min<uint64_t>(count + 1, study::kMostTrials); });
  });
  outcome->proposal = study::propose(trials, forKind);
  outcome->settings = study::settingsOf(outcome->proposal, forKind);
  outcome->frames = sample.frames();
  const size_t shown = sample.frames() > 1 ? 1 : 0;
  outcome->markers = sample.measure(outcome->settings, shown).markers;
  outcome->picture = smallPicture(sample.frame(shown)->layer(0), kMostWidth, kMostHeight);
  const std::lock_guard lock(mutex_);
  outcome_ = std::move(outcome);
}

}  // namespace glint::shell
