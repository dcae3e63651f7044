#include "app/study/advice/candidates.h"

#include <algorithm>
#include <cmath>

#include "gpu/detect/limits.h"

namespace glint::study {

MarkersByFrame CandidateSearch::find(const Remedy& remedy, size_t frames) const {
  Settings settings = settingsOf(remedy);
  settings.detect.maxMarkers = kMostDetections;
  return measure()(settings, std::min(frames, frames_));
}

/// Returns round and elongated markers, in the pictures and in their negatives, whose response is
/// at least `sigmas` standard deviations above the mean response.
CandidateSearch::OwnAndNegative CandidateSearch::downTo(double sigmas, Remedy remedy, size_t frames,
                                                        const Measure& by) const {
  remedy.kind.elongated = true;
  const auto measured = [&] {
    Settings settings = settingsOf(remedy);
    settings.detect.maxMarkers = kMostDetections;
    settings.detect.thresholdSigma = std::min(settings.detect.thresholdSigma, sigmas);
    settings.refine.roundOnly = true;  // All kinds of markers are compared by the same measures.
    return by(settings, std::min(frames, frames_));
  };
  MarkersByFrame own = measured();
  remedy.kind.dark = !remedy.kind.dark;
  return {std::move(own), measured()};
}

/// Returns round and elongated markers, in the pictures and in their negatives, down to the
/// faintest that may matter: to CandidateOptions::firstSigma, or to `lowSigma` if there are many.
CandidateSearch::OwnAndNegative CandidateSearch::census(const Remedy& remedy, size_t frames,
                                                        const Measure& by) const {
  const CandidateOptions& o = options_.candidates;
  auto found = downTo(o.firstSigma, remedy, frames, by);
  if (std::max(countOf(found.first), countOf(found.second)) < o.manyMarkers) return found;
  return downTo(o.lowSigma, remedy, frames, by);
}

double CandidateSearch::strengthOf(const shared::Detection& d) const {
  return d.peak < fullScale_
             ? double(d.peak)
             : std::max(double(d.peak), options_.candidates.discResponse * gpu::contrastOf(d));
}

std::vector<double> CandidateSearch::strengthsOf(const MarkersByFrame& found) const {
  return valuesOf(found, [&](const auto& d) { return strengthOf(d); });
}

/// Returns the strength of the strongest decoy of about the size of the markers.
double CandidateSearch::strongestDecoy(const MarkerKind& kind) const {
  const CandidateOptions& o = options_.candidates;
  double strongest = o.decoyFloor;
  const double smallest = *kind.radius * std::exp(-o.decoySize);
  for (const Seen& seen : seen_) {
    if (std::abs(std::log(seen.radius / *kind.radius)) > o.decoySize) continue;
    const MarkersByFrame decoys = only(kind.dark ? seen.bright : seen.dark,
                                       [&](const auto& d) { return double{d.radius} >= smallest; });
    for (const double s :
         strengthsOf(*kind.radius >= o.anyShapeRadius ? decoys : ofShape(decoys, kind)))
      strongest = std::max(strongest, s);
  }
  return strongest;
}

MarkersByFrame CandidateSearch::ofShape(const MarkersByFrame& found, const MarkerKind& kind) const {
  const double most = settingsFor_(kind).detect.maxEccentricity;
  return only(found, [&](const shared::Detection& d) {
    return d.radius > 0 && d.mass > 0 && d.eccentricity <= most &&
           d.elongation <= gpu::ridgeLimit(most);
  });
}

SettingsCandidate CandidateSearch::weigh(const Remedy& remedy, const MarkersByFrame& seen,
                                         const MarkersByFrame& negative) const {
  const MarkersByFrame markers = ofShape(seen, remedy.kind),
                       decoys = ofShape(negative, remedy.kind);
  SettingsCandidate candidate{remedy};
  candidate.cut = cutOf(strengthsOf(markers), strengthsOf(decoys), seen.size(),
                        strongestDecoy(remedy.kind), options_.cut);
  if (candidate.cut.strength == 0) return candidate;
  candidate.markers =
      only(markers, [&](const auto& d) { return strengthOf(d) >= candidate.cut.strength; });
  if (looksLikeNoise(candidate.markers, options_.judgement)) candidate.cut.sure = false;
  candidate.worth = worthOf(candidate.markers, options_.judgement);
  return candidate;
}

SettingsCandidate CandidateSearch::weigh(const Remedy& remedy, size_t frames) const {
  const auto [own, negative] = census(remedy, frames, measure());
  return weigh(remedy, own, negative);
}

std::vector<SettingsCandidate> CandidateSearch::allKinds(size_t frames) {
  seen_.clear();
  for (const double radius : radii_) {
    auto [bright, dark] = census({{radius, false}}, frames, measures_.survey);
    seen_.push_back({radius, std::move(bright), std::move(dark)});
  }
  std::vector<SettingsCandidate> all;
  for (const Seen& seen : seen_) {
    for (const bool elongated : {false, true}) {
      all.push_back(weigh({{seen.radius, false, elongated}}, seen.bright, seen.dark));
      all.push_back(weigh({{seen.radius, true, elongated}}, seen.dark, seen.bright));
    }
  }
  return all;
}

void CandidateSearch::dropHopelessRadii(const std::vector<SettingsCandidate>& all) {
  const auto scoreOf = [&](std::optional<double> radius) {
    return bestScore(all, options_.judgement, [&](const SettingsCandidate& candidate) {
      return !radius || candidate.kind.radius == radius;
    });
  };
  const double least = options_.candidates.hopelessShare * scoreOf(std::nullopt);
  if (!(least > 0)) return;
  std::vector<double> kept;
  for (size_t i = 0; i < radii_.size(); ++i) {
    const size_t first = i > 0 ? i - 1 : 0, last = std::min(i + 1, radii_.size() - 1);
    for (size_t k = first; k <= last; ++k) {
      if (scoreOf(radii_[k]) < least) continue;
      kept.push_back(radii_[i]);
      break;
    }
  }
  radii_ = std::move(kept);
}

SettingsCandidate CandidateSearch::defaults(size_t frames, bool dark) const {
  SettingsCandidate candidate;
  candidate.kind.dark = dark;
  candidate.markers = ofShape(find(candidate, frames), candidate.kind);
  candidate.worth = worthOf(candidate.markers, options_.judgement);
  // The decoys are those of the trial whose radius is nearest to the radius of the markers.
  const double radius = candidate.radius();
  const MarkersByFrame* decoys = nullptr;
  double nearest = 0;
  for (const Seen& seen : seen_) {
    const double away = std::abs(std::log(seen.radius / std::max(radius, 0.1)));
    if (decoys == nullptr || away < nearest)
      decoys = dark ? &seen.bright : &seen.dark, nearest = away;
  }
  candidate.cut =
      cutOf(valuesOf(candidate.markers, gpu::contrastOf),
            decoys == nullptr ? std::vector<double>()
                              : valuesOf(ofShape(*decoys, candidate.kind), gpu::contrastOf),
            candidate.markers.size(), options_.candidates.decoyFloor, options_.cut);
  if (looksLikeNoise(candidate.markers, options_.judgement)) candidate.cut.sure = false;
  return candidate;
}

std::optional<SettingsCandidate> CandidateSearch::inFewFrames() const {
  for (const bool dark : {false, true}) {
    SettingsCandidate candidate = defaults(frames_, dark);
    if (candidate.cut.sure) return candidate;
  }
  return std::nullopt;
}

}  // namespace glint::study
