#include "app/motion/space/body_finder.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {

BodyFinder::BodyFinder(std::shared_ptr<const std::vector<KnownBody>> bodies,
                       const BodyTrackerOptions& options)
    : bodies_(std::move(bodies)), options_(options) {
  forget();
}

void BodyFinder::forget() {
  waited_.assign(bodies_->size(), 0);
  noted_.assign(bodies_->size(), 0);
}

std::vector<BodyFinder::Found> BodyFinder::find(const BodySet& set,
                                                std::span<const BodyPoint> points,
                                                std::span<const BodyState> states) {
  // Lost bodies by kind.
  std::vector<std::vector<size_t>> lost(bodies_->size());
  double reach = 0;
  for (size_t b = 0; b < bodies_->size(); ++b) {
    if (states[b].motion) continue;
    lost[(*bodies_)[b].kind].push_back(b);
    reach = std::max(reach, (*bodies_)[b].body.extent());
  }
  if (!(reach > 0)) return {};
  std::vector<SearchPoint> free;
  std::vector<int> places;
  for (size_t p = 0; p < points.size(); ++p) {
    if (points[p].body >= 0 || !points[p].measured || points[p].id == 0) continue;
    if (points[p].covariance.trace() > reach * reach / 16) continue;
    free.push_back({points[p].at, points[p].covariance});
    places.push_back(static_cast<int>(p));
  }
  if (free.size() < 3) return {};
  const FreePoints among{SearchCloud(std::move(free), reach, options_.search), std::move(places)};
  std::vector<Candidate> all;
  for (size_t kind = 0; kind < lost.size(); ++kind) {
    if (lost[kind].empty()) continue;
    auto own = candidates(kind, set, points, among);
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.match.solid != b.match.solid ? a.match.solid > b.match.solid : a.misfit < b.misfit;
  });
  std::vector<char> used(points.size());
  std::vector<std::vector<Candidate>> chosen(lost.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const auto taken = [&](int p) { return p >= 0 && used[static_cast<size_t>(p)]; };
    const MarkerPoints& markers = all[i].match.markers;
    if (std::any_of(markers.begin(), markers.end(), taken)) continue;
    for (const int p : markers)
      if (p >= 0) used[static_cast<size_t>(p)] = 1;
    if (!undecided(all, i)) {
      chosen[all[i].kind].push_back(std::move(all[i]));
      continue;
    }
    for (size_t b = 0; b < bodies_->size(); ++b)
      if ((*bodies_)[b].kind == all[i].kind) ++waited_[b];
  }
  std::vector<Found> found;
  for (size_t kind = 0; kind < chosen.size(); ++kind)
    if (!chosen[kind].empty()) settle(lost[kind], chosen[kind], set, points, states, found);
  return found;
}

// Returns the possible places of the bodies of a kind, which are found by distances and then fitted
// to the images.
std::vector<BodyFinder::Candidate> BodyFinder::candidates(size_t kind, const BodySet& set,
                                                          std::span<const BodyPoint> points,
                                                          const FreePoints& free) const {
  const KnownBody& known = (*bodies_)[kind];
  const size_t count = known.centred.markers.size();
  std::vector<Candidate> all;
  for (const BodyGuess& guess :
       findBody(known.body, free.cloud, options_.searchSlack, options_.search)) {
    if (all.size() == options_.maxCandidates) break;
    if (guess.found < count && !(guess.chance < options_.maxChance)) continue;
    MarkerPoints markers(count, -1);
    for (size_t m = 0; m < count; ++m)
      if (guess.points[m] >= 0) markers[m] = free.places[static_cast<size_t>(guess.points[m])];
    BodyPlace start;
    start.rotation = guess.motion.matrix();
    start.centre = guess.motion.apply(known.centred.middle);
    auto match = matchBody(known.centred, set, points, std::move(markers), start, nullptr,
                           options_.maxMisfit);
    if (!match || static_cast<size_t>(match->solid) < guess.found) continue;
    const double freedom = 2 * static_cast<double>(match->sights.size()) - 6;
    all.push_back({kind, std::move(*match), 0});
    all.back().misfit = all.back().match.fit.chi2 / freedom;
  }
  return all;
}

// Returns true if another place of the same points fits about as well. A body that fits onto itself
// accepts any of these places. Other bodies wait until the decision is clear, but only for a
// limited number of sets.
bool BodyFinder::undecided(const std::vector<Candidate>& all, size_t which) const {
  const Candidate& one = all[which];
  if ((*bodies_)[one.kind].symmetric || waited_[one.kind] >= options_.maxWait) return false;
  for (size_t j = which + 1; j < all.size(); ++j) {
    const Candidate& other = all[j];
    if (other.kind != one.kind || other.match.solid < one.match.solid) continue;
    const bool shares = std::any_of(one.match.markers.begin(), one.match.markers.end(), [&](int p) {
      return p >= 0 && std::find(other.match.markers.begin(), other.match.markers.end(), p) !=
                           other.match.markers.end();
    });
    if (!shares || other.match.fit.chi2 > one.match.fit.chi2 + options_.clearChi2) continue;
    const BodyPlace &a = one.match.fit.place, &b = other.match.fit.place;
    if (rodriguesOf(a.rotation * b.rotation.transpose()).norm() > options_.samePlace ||
        (a.centre - b.centre).norm() > options_.samePlace * (*bodies_)[one.kind].body.extent())
      return true;
  }
  return false;
}

// Converts a match of the first body of a kind to a match of another body of that kind, by fitting
// it again.
std::optional<BodyMatch> BodyFinder::asBody(size_t body, const BodyMatch& match, const BodySet& set,
                                            std::span<const BodyPoint> points) const {
  const KnownBody& known = (*bodies_)[body];
  if (known.kind == body) return match;
  MarkerPoints markers;
  for (const int m : known.onKind.points) markers.push_back(match.markers[static_cast<size_t>(m)]);
  const Eigen::Vector3d middle =
      known.onKind.motion.apply(known.centred.middle) - (*bodies_)[known.kind].centred.middle;
  BodyPlace start;
  start.rotation = match.fit.place.rotation * known.onKind.motion.matrix();
  start.centre = match.fit.place.apply(middle);
  return matchBody(known.centred, set, points, std::move(markers), start, nullptr,
                   options_.maxMisfit);
}

// Assigns the chosen places of a kind to the lost bodies of that kind. The points that a body had
// decide first, and then the distance to its last place.
void BodyFinder::settle(const std::vector<size_t>& lost, const std::vector<Candidate>& chosen,
                        const BodySet& set, std::span<const BodyPoint> points,
                        std::span<const BodyState> states, std::vector<Found>& found) {
  // Costs in mm. Every body gets a place as long as there is one (kTaken). Bodies that were never
  // seen come last (kUnknown). Each point that a body had before outweighs any distance
  // (kSamePoint).
  constexpr double kTaken = -1e9, kUnknown = 1e6, kSamePoint = 1e5;
  std::vector<AllowedPair> pairs;
  for (size_t i = 0; i < lost.size(); ++i) {
    const BodyState& own = states[lost[i]];
    for (size_t c = 0; c < chosen.size(); ++c) {
      double cost = kUnknown + static_cast<double>(c) * (static_cast<double>(i) + 1);
      if (own.last) {
        cost = (own.last->centre - chosen[c].match.fit.place.centre).norm();
        for (const int p : chosen[c].match.markers)
          if (p >= 0 && std::find(own.ids.begin(), own.ids.end(),
                                  points[static_cast<size_t>(p)].id) != own.ids.end())
            cost -= kSamePoint;
      }
      pairs.push_back({static_cast<int>(i), static_cast<int>(c), kTaken + cost});
    }
  }
  const auto where = assign(static_cast<int>(lost.size()), static_cast<int>(chosen.size()), pairs);
  for (size_t i = 0; i < lost.size(); ++i) {
    if (where[i] < 0) continue;
    const size_t body = lost[i];
    auto match = asBody(body, chosen[static_cast<size_t>(where[i])].match, set, points);
    if (!match) continue;
    if (chosen.size() > lost.size() && !states[body].last && !std::exchange(noted_[body], 1))
      notes_.push_back(fmt::format("the body '{}' fits in {} places of frame {}; one is taken",
                                   (*bodies_)[body].body.name, chosen.size(), set.frame));
    waited_[body] = 0;
    found.push_back({body, std::move(*match)});
  }
}

}  // namespace glint::motion
