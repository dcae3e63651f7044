#include "app/study/advice/judgement.h"

#include <algorithm>
#include <cmath>

#include "app/base/quantile.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

/// Returns the share of the other frames that have a marker in the place of `d`, 0 to 1. If it is
/// at least JudgementOptions::restingShare, returns 1: `d` is at rest. `byX`: all markers; those of
/// each frame are sorted by x.
double stillness(const MarkersByFrame& byX, size_t frame, const shared::Detection& d,
                 const JudgementOptions& options) {
  if (byX.size() < 2) return 0;
  const double width =
      std::sqrt(std::max(1 - double{d.eccentricity} * double{d.eccentricity}, 0.01));
  const double near = std::clamp(options.placeShare * double{d.radius} / width, options.leastPlace,
                                 options.mostPlace);
  double same = 0;
  for (size_t f = 0; f < byX.size(); ++f) {
    if (f == frame) continue;
    auto at = std::lower_bound(byX[f].begin(), byX[f].end(), double{d.x} - near,
                               [](const auto& other, double x) { return double{other.x} < x; });
    while (at != byX[f].end() && double{at->x} <= double{d.x} + near &&
           std::abs(double{at->y} - double{d.y}) > near)
      ++at;
    if (at != byX[f].end() && double{at->x} <= double{d.x} + near) same += 1;
  }
  const double share = same / double(byX.size() - 1);
  return share >= options.restingShare ? 1 : share;
}

/// Returns a weighted sum of two amounts, for moving and for resting things. For a mixture, it is
/// smaller than if all of it were moving or all of it at rest.
double blend(double moving, double still, double restingWeight) {
  const double all = moving + still;
  return all > 0 ? (moving * moving + restingWeight * still * still) / all : 0;
}

double signalOfMarker(const shared::Detection& d) {
  return gpu::contrastOf(d) * double{d.radius};
}

/// Returns the sum of the signal of all markers, both moving and at rest.
double signalOf(const SettingsCandidate& candidate) {
  double sum = 0;
  for (const double signal : valuesOf(candidate.markers, signalOfMarker)) sum += signal;
  return sum;
}

/// True if nearly all of `parts` lie on much larger things of the other polarity, as glints lie on
/// a pupil.
bool liesOn(const SettingsCandidate& parts, const SettingsCandidate& whole,
            const JudgementOptions& options) {
  if (parts.kind.dark == whole.kind.dark) return false;
  size_t on = 0, all = 0;
  for (size_t f = 0; f < std::min(parts.markers.size(), whole.markers.size()); ++f)
    for (const shared::Detection& d : parts.markers[f]) {
      ++all;
      on += std::ranges::any_of(whole.markers[f], [&](const shared::Detection& w) {
        return double{w.radius} >= options.wholeFactor * double{d.radius} &&
               std::hypot(double{w.x} - double{d.x}, double{w.y} - double{d.y}) + double{d.radius} <
                   double{w.radius};
      });
    }
  return all > 0 && static_cast<double>(on) >= options.partsShare * static_cast<double>(all);
}

/// True if most markers of `a` are in the places of markers of `b` of a similar size.
bool findsTheSame(const SettingsCandidate& a, const SettingsCandidate& b,
                  const JudgementOptions& options) {
  size_t same = 0, all = 0;
  for (size_t f = 0; f < std::min(a.markers.size(), b.markers.size()); ++f)
    for (const shared::Detection& d : a.markers[f]) {
      ++all;
      same += std::ranges::any_of(b.markers[f], [&](const shared::Detection& other) {
        const double larger{std::max(d.radius, other.radius)};
        const double dx = double{d.x} - double{other.x}, dy = double{d.y} - double{other.y};
        return dx * dx + dy * dy < larger * larger &&
               larger <= options.sameSize * double{std::min(d.radius, other.radius)};
      });
    }
  return 2 * same > all;
}

/// Returns the factor by which the score of a candidate must exceed the score of one for round
/// markers.
double handicapOf(const SettingsCandidate& candidate, const JudgementOptions& options) {
  const double rests = 1 + candidate.worth.rest;
  return candidate.kind.elongated ? options.longerFactor * rests * rests : 1;
}

bool isSure(const SettingsCandidate& candidate, const JudgementOptions& options) {
  return candidate.cut.sure && candidate.cut.markers >= options.leastMarkers;
}

}  // namespace

double SettingsCandidate::radius() const {
  return base::medianOf(valuesOf(markers, [](const auto& d) { return double{d.radius}; }));
}

bool looksLikeNoise(const MarkersByFrame& markers, const JudgementOptions& options) {
  const MarkersByFrame faint = only(markers, [&](const shared::Detection& d) {
    return gpu::isFaint(d, options.noiseSignificance);
  });
  return 2 * countOf(faint) > countOf(markers);
}

Worth worthOf(MarkersByFrame markers, const JudgementOptions& options) {
  for (auto& frame : markers)
    std::sort(frame.begin(), frame.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  double moving = 0, resting = 0, movers = 0, stills = 0;
  for (size_t f = 0; f < markers.size(); ++f) {
    for (const shared::Detection& d : markers[f]) {
      const double still = stillness(markers, f, d, options);
      const double signal = signalOfMarker(d);
      moving += signal * (1 - still), resting += signal * still;
      movers += 1 - still, stills += still;
    }
  }
  const auto frames = double(std::max<size_t>(markers.size(), 1));
  const double all = moving + resting;
  return {blend(moving, resting, options.restingWeight) / frames,
          blend(movers, stills, options.restingWeight) / frames, all > 0 ? resting / all : 0};
}

double bestScore(const std::vector<SettingsCandidate>& all, const JudgementOptions& options,
                 const std::function<bool(const SettingsCandidate&)>& counts) {
  double score = 0;
  for (const SettingsCandidate& candidate : all)
    if (isSure(candidate, options) && counts(candidate))
      score = std::max(score, candidate.worth.score / handicapOf(candidate, options));
  return score;
}

const SettingsCandidate* bestOf(const std::vector<SettingsCandidate>& all,
                                const JudgementOptions& options) {
  const double score = bestScore(all, options, [](const auto&) { return true; });
  const SettingsCandidate* best = nullptr;
  for (const SettingsCandidate& candidate : all) {
    if (!isSure(candidate, options)) continue;
    if (candidate.worth.score < options.asGoodScore * score * handicapOf(candidate, options))
      continue;
    if (best == nullptr || candidate.worth.count > best->worth.count) best = &candidate;
  }
  return best;
}

const SettingsCandidate* wholeOf(const SettingsCandidate* best,
                                 const std::vector<SettingsCandidate>& all,
                                 const JudgementOptions& options) {
  if (best == nullptr) return nullptr;
  const SettingsCandidate* whole = nullptr;
  double signal = signalOf(*best);
  for (const SettingsCandidate& candidate : all) {
    if (!isSure(candidate, options) || !liesOn(*best, candidate, options)) continue;
    const double own = signalOf(candidate) / handicapOf(candidate, options);
    if (own < signal) continue;
    whole = &candidate;
    signal = own;
  }
  return whole;
}

std::vector<const SettingsCandidate*> rivalsOf(const SettingsCandidate& best,
                                               const std::vector<SettingsCandidate>& all,
                                               const JudgementOptions& options) {
  const auto scoreOf = [&](const SettingsCandidate& candidate) {
    return candidate.worth.score / handicapOf(candidate, options);
  };
  std::vector<const SettingsCandidate*> sure;
  for (const SettingsCandidate& candidate : all)
    if (isSure(candidate, options) && scoreOf(candidate) >= options.rivalScore * scoreOf(best))
      sure.push_back(&candidate);
  std::ranges::stable_sort(sure,
                           [&](const auto* a, const auto* b) { return scoreOf(*a) > scoreOf(*b); });
  std::vector<const SettingsCandidate*> rivals;
  for (const SettingsCandidate* candidate : sure) {
    if (rivals.size() == options.mostRivals) break;
    const auto known = [&](const SettingsCandidate& other) {
      return findsTheSame(*candidate, other, options) || findsTheSame(other, *candidate, options);
    };
    if (!known(best) && std::ranges::none_of(rivals, [&](const auto* r) { return known(*r); }))
      rivals.push_back(candidate);
  }
  return rivals;
}

bool isOfIndividuals(const SettingsCandidate& rival, const SettingsCandidate& best,
                     const JudgementOptions& options) {
  if (rival.markers.size() < 2 || rival.worth.rest > options.mostRest) return false;
  const size_t each = rival.markers.front().size();
  if (each == 0 ||
      std::ranges::any_of(rival.markers, [&](const auto& frame) { return frame.size() != each; }))
    return false;
  const auto signals = valuesOf(rival.markers, signalOfMarker);
  return *std::ranges::min_element(signals) >=
         options.individualSignal * base::medianOf(valuesOf(best.markers, signalOfMarker));
}

SettingsCandidate clearestOf(const std::vector<SettingsCandidate>& all) {
  SettingsCandidate clearest;
  for (const SettingsCandidate& candidate : all)
    if (candidate.cut.markers - candidate.cut.decoys > clearest.cut.markers - clearest.cut.decoys)
      clearest = candidate;
  return clearest;
}

bool defaultsSuffice(const SettingsCandidate& defaults, const SettingsCandidate& best,
                     const JudgementOptions& options) {
  const double faintest = options.fainterShare *
                          base::upperQuantileOf(valuesOf(defaults.markers, gpu::contrastOf), 0.1);
  const double count =
      countOf(only(best.markers, [&](const auto& d) { return gpu::contrastOf(d) >= faintest; }));
  const double handicap = handicapOf(best, options);
  return isSure(defaults, options) &&
         handicap * defaults.worth.score >= options.defaultScore * best.worth.score &&
         handicap * countOf(defaults.markers) >= options.asManyMarkers * count;
}

}  // namespace glint::study
