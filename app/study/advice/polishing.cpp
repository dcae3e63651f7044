#include "app/study/advice/polishing.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "config/setting_key.h"
#include "gpu/detect/limits.h"

namespace glint::study {

SettingsCandidate withFoundRadius(SettingsCandidate candidate, const CandidateSearch& search) {
  const ProposalOptions& o = search.options();
  if (!candidate.kind.radius) {
    candidate.markers = search.find({candidate.kind}, search.frames());
    return candidate;
  }
  SettingsCandidate before = search.weigh({candidate.kind}, search.frames());
  // Long things look rounder in the reduced pictures of a survey.
  if (!candidate.kind.elongated &&
      before.cut.markers < o.judgement.asManyMarkers * candidate.cut.markers) {
    MarkerKind longer = candidate.kind;
    longer.elongated = true;
    SettingsCandidate all = search.weigh({longer}, search.frames());
    if (all.cut.sure && all.cut.markers > before.cut.markers) {
      before = std::move(all);
      candidate.kind = longer;
    }
  }
  if (!before.cut.sure) return before;
  const double radius = std::stod(fmt::format("{:.2g}", before.radius()));
  if (std::abs(std::log(radius / *candidate.kind.radius)) < o.polishing.sameRadius) return before;
  MarkerKind kind = candidate.kind;
  kind.radius = radius;
  SettingsCandidate own = search.weigh({kind}, search.frames());
  const bool asGood = own.worth.score >= o.judgement.asGoodScore * before.worth.score &&
                      own.cut.markers >= o.judgement.asManyMarkers * before.cut.markers;
  return own.cut.sure && asGood ? own : before;
}

SettingsCandidate withThreshold(SettingsCandidate candidate, const CandidateSearch& search) {
  const PolishingOptions& o = search.options().polishing;
  const double fullScale = search.fullScale();
  const Settings settings = search.settingsOf({candidate.kind});
  if (!candidate.kind.radius || settings.detect.threshold) return candidate;
  if (settings.response.kind == ResponseKind::dog && fullScale <= 255 &&
      candidate.cut.strength < o.coarseStrength)
    candidate = search.weigh(
        {candidate.kind, {fmt::format("{}={}", "response.gain"_key, o.fineGain)}}, search.frames());
  const double faintest = candidate.cut.strength;
  const MarkersByFrame automatic = search.find(candidate, search.frames());
  const double kept =
      countOf(only(automatic, [&](const auto& d) { return search.strengthOf(d) >= faintest; }));
  const double others = countOf(automatic) - kept, markers = countOf(candidate.markers);
  if (kept >= (1 - o.lostShare) * markers && others <= o.othersShare * markers) return candidate;
  const double threshold =
      std::max(std::sqrt(faintest * candidate.cut.below), o.thresholdShare * faintest);
  candidate.sets.push_back(
      fmt::format("{}={:.4g}", "detect.threshold"_key,
                  std::min({threshold, faintest, o.mostThreshold * fullScale}) / fullScale));
  return candidate;
}

SettingsCandidate withSeparation(SettingsCandidate candidate, const CandidateSearch& search) {
  const PairOptions& o = search.options().pairs;
  const double separation = search.settingsOf({candidate.kind}).detect.separation;
  if (candidate.kind.radius || separation != Settings().detect.separation) return candidate;
  const std::string nearer = fmt::format("{}={}", "detect.separation"_key, o.triedSeparation);
  MarkersByFrame markers = search.find({candidate.kind, {nearer}}, search.frames());
  size_t pairs = 0, count = 0;
  for (const auto& frame : markers) {
    pairs += pairsWithin(frame, separation, o);
    count += frame.size();
  }
  if (!manyPairs(pairs, count, o)) return candidate;
  candidate.sets.push_back(nearer);
  candidate.markers = std::move(markers);
  return candidate;
}

SettingsCandidate withRoom(SettingsCandidate candidate, const CandidateSearch& search) {
  const PolishingOptions& o = search.options().polishing;
  size_t most = 0;
  for (const auto& frame : candidate.markers) most = std::max(most, frame.size());
  int room = search.settingsOf({candidate.kind}).detect.maxMarkers;
  const auto with = [&](int markers) {
    Remedy remedy = candidate;
    remedy.sets.push_back(fmt::format("{}={}", "detect.max_markers"_key, markers));
    return remedy;
  };
  const auto found = [&](const Remedy& remedy) {
    return countOf(search.measure()(search.settingsOf(remedy), search.frames()));
  };
  // If limits reject peaks, the detector measures more peaks than detect.max_markers. So `room` may
  // be enough although it seems too small for the number of markers.
  const double wanted = (1 - o.lostShare) * countOf(candidate.markers);
  if (double(most) <= o.fullShare * room && found(candidate) >= wanted) return candidate;
  while (room < kMostDetections && room < o.roomFactor * double(most)) room *= 2;
  room = std::min(std::max(room, o.leastRoom), kMostDetections);
  // Many peaks may belong to the same few large and saturated markers. So `room` grows until more
  // of it finds no more markers.
  for (double count = found(with(room)); count < wanted && room < kMostDetections;) {
    const int larger = std::min(2 * room, kMostDetections);
    const double more = found(with(larger));
    if ((1 - o.lostShare) * more <= count) break;
    room = larger;
    count = more;
  }
  candidate.sets = with(room).sets;
  return candidate;
}

SettingsCandidate withDimmer(SettingsCandidate candidate, const CandidateSearch& search) {
  if (candidate.kind.radius || !candidate.sets.empty()) return candidate;
  auto dimmer = findDimmer(search.settingsOf({candidate.kind}), search.measure(), search.frames(),
                           search.fullScale(), search.options().dimmer);
  if (!dimmer) return candidate;
  candidate.sets = std::move(dimmer->remedy.sets);
  candidate.markers = std::move(dimmer->markersByFrame);
  return candidate;
}

}  // namespace glint::study
