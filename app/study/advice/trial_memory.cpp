#include "app/study/advice/trial_memory.h"

#include <algorithm>
#include <utility>

namespace glint::study {

TrialMemory::TrialMemory(FrameSample& sample, std::function<void(size_t)> progress)
    : sample_(sample), progress_(std::move(progress)) {}

MarkersByFrame TrialMemory::measure(const Settings& settings, size_t frames) {
  return remember(false, settings, frames);
}

MarkersByFrame TrialMemory::survey(const Settings& settings, size_t frames) {
  return remember(sample_.isReduced(settings), settings, frames);
}

/// Returns the markers of a trial in the first `frames` frames. Measures only those frames that are
/// not known yet.
MarkersByFrame TrialMemory::remember(bool survey, const Settings& settings, size_t frames) {
  const size_t wanted = std::min(frames, sample_.frames());
  auto trial = std::ranges::find_if(trials_, [&](const Trial& known) {
    return known.survey == survey && known.settings == settings;
  });
  if (trial == trials_.end()) {
    if (progress_) progress_(trials_.size());
    trial = trials_.insert(trials_.end(), Trial{survey, settings, {}});
  }
  MarkersByFrame& found = trial->found;
  for (size_t i = found.size(); i < wanted; ++i)
    found.push_back(survey ? sample_.survey(settings, i) : sample_.measure(settings, i).markers);
  return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(wanted)};
}

}  // namespace glint::study
