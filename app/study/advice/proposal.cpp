#include "app/study/advice/proposal.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/base/quantile.h"
#include "app/study/advice/candidates.h"
#include "app/study/advice/judgement.h"
#include "app/study/advice/polishing.h"
#include "config/error.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

/// Returns the best kind of marker and its rivals. The most likely one comes first. `all`: all
/// kinds, as a survey of the first `frames` frames shows them.
std::vector<SettingsCandidate> bestKinds(const std::vector<SettingsCandidate>& all,
                                         const CandidateSearch& search, size_t frames) {
  const JudgementOptions& o = search.options().judgement;
  const SettingsCandidate* best = bestOf(all, o);
  const SettingsCandidate* whole = wholeOf(best, all, o);
  SettingsCandidate chosen;
  if (whole != nullptr) {
    chosen = *whole;
  } else {
    SettingsCandidate defaults = search.defaults(frames);
    // The default settings need no options, so they are preferred even if they find markers in few
    // frames only.
    const bool keep =
        best != nullptr ? defaultsSuffice(defaults, *best, o) : bool{defaults.cut.sure};
    chosen = keep ? std::move(defaults) : best != nullptr ? *best : clearestOf(all);
  }
  std::vector<SettingsCandidate> kinds;
  if (chosen.cut.sure) {
    for (const SettingsCandidate* rival : rivalsOf(chosen, all, o)) kinds.push_back(*rival);
    const auto ofIndividuals = [&](const auto& rival) { return isOfIndividuals(rival, chosen, o); };
    if (const auto found = std::ranges::find_if(kinds, ofIndividuals); found != kinds.end()) {
      std::swap(chosen, *found);
      std::rotate(kinds.begin(), found, found + 1);
    }
  }
  kinds.insert(kinds.begin(), std::move(chosen));
  return kinds;
}

/// Returns a proposal of these settings, with a description of `markers`.
Proposal describe(const Remedy& remedy, MarkersByFrame markers, double fullScale) {
  Proposal proposal{remedy};
  proposal.found = true;
  proposal.markersByFrame = std::move(markers);
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

}  // namespace

Proposal propose(const SettingsFor& settingsFor, const Measures& measures, size_t frames,
                 double fullScale, const ProposalRequest& request, const ProposalOptions& options) {
  CandidateSearch search(settingsFor, measures, frames, fullScale, options);
  std::vector<SettingsCandidate> all = search.allKinds(1);
  if (frames > 1) {
    if (request.first) {
      const SettingsCandidate early = bestKinds(all, search, 1).front();
      if (early.cut.sure) request.first(describe(early, early.markers, fullScale));
    }
    search.dropHopelessRadii(all);
    all = search.allKinds(options.candidates.frames);
  }
  std::vector<SettingsCandidate> kinds = bestKinds(all, search, options.candidates.frames);
  if (request.pick < 1 || request.pick > kinds.size())
    throw UsageError("there is no alternative {}, only {}", request.pick, kinds.size());
  std::vector<Alternative> alternatives;
  for (const SettingsCandidate& kind : kinds) {
    const Proposal described = describe(kind, kind.markers, fullScale);
    alternatives.push_back({kind.kind, described.radius, described.contrast, described.markers});
  }
  SettingsCandidate best = std::move(kinds[request.pick - 1]);
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
  Proposal proposal =
      describe(best, measures.exact(settingsOf(best, settingsFor), frames), fullScale);
  proposal.pick = request.pick;
  proposal.alternatives = std::move(alternatives);
  proposal.alternatives[request.pick - 1] = {proposal.kind, proposal.radius, proposal.contrast,
                                             proposal.markers};
  return proposal;
}

Proposal propose(TrialMemory& trials, const SettingsFor& settingsFor,
                 const ProposalRequest& request) {
  const Measures measures{
      .exact = [&](const Settings& s, size_t frames) { return trials.measure(s, frames); },
      .survey = [&](const Settings& s, size_t frames) { return trials.survey(s, frames); }};
  const FrameSample& sample = trials.sample();
  return propose(settingsFor, measures, sample.frames(), sample.format().fullScale(), request);
}

}  // namespace glint::study
