#include "app/study/advice/proposal.h"

#include <optional>
#include <utility>
#include <vector>

#include "app/base/quantile.h"
#include "app/study/advice/candidates.h"
#include "app/study/advice/judgement.h"
#include "app/study/advice/polishing.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

/// Returns the best kind of marker, after trying all kinds on the first few frames.
SettingsCandidate bestKind(CandidateSearch& search) {
  const JudgementOptions& o = search.options().judgement;
  const std::vector<SettingsCandidate> all = search.allKinds();
  const SettingsCandidate* best = bestOf(all, o);
  if (const SettingsCandidate* whole = wholeOf(best, all, o)) return *whole;
  SettingsCandidate defaults = search.defaults(search.options().candidates.frames);
  if (best != nullptr) return defaultsSuffice(defaults, *best, o) ? defaults : *best;
  // The default settings need no options, so they are preferred even if they find markers in few
  // frames only.
  return defaults.cut.sure ? defaults : clearestOf(all);
}

}  // namespace

Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale, const ProposalOptions& options) {
  CandidateSearch search(settingsFor, measure, frames, fullScale, options);
  SettingsCandidate best = bestKind(search);
  if (best.cut.sure) best = withFoundRadius(std::move(best), search);
  if (!best.cut.sure || (best.kind.radius && best.cut.markers < options.judgement.leastMarkers)) {
    std::optional<SettingsCandidate> few = search.inFewFrames();
    if (!few) {
      Proposal nothing;
      nothing.radius = best.radius();
      nothing.seen = best.cut.markers;
      nothing.decoys = best.cut.decoys;
      nothing.seenDark = best.kind.dark;
      return nothing;
    }
    best = std::move(*few);
  }
  best = withThreshold(std::move(best), search);
  best = withSeparation(std::move(best), search);
  best = withRoom(std::move(best), search);
  best = withDimmer(std::move(best), search);  // withDimmer() makes room for its markers itself.
  Proposal proposal{best};
  proposal.found = true;
  proposal.markersByFrame = measure(settingsOf(proposal, settingsFor), frames);
  const auto medianOf = [&](auto&& value) {
    return base::medianOf(valuesOf(proposal.markersByFrame, value));
  };
  proposal.radius = medianOf([](const auto& d) { return double{d.radius}; });
  proposal.contrast = medianOf(gpu::contrastOf) / fullScale;
  std::vector<double> counts;
  for (const auto& frame : proposal.markersByFrame) counts.push_back(double(frame.size()));
  proposal.markers = base::medianOf(std::move(counts));
  return proposal;
}

Proposal propose(FrameSample& sample, const SettingsFor& settingsFor,
                 const std::function<void(size_t)>& progress) {
  size_t trials = 0;
  return propose(
      settingsFor,
      [&](const Settings& settings, size_t frames) {
        if (progress) progress(trials);
        ++trials;
        return sample.measureFirst(settings, frames);
      },
      sample.frames(), sample.format().fullScale());
}

}  // namespace glint::study
