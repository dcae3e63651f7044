// The part of BodyTracker that finds bodies that are lost.
#include <algorithm>

#include <fmt/format.h>

#include "app/motion/geometry/rotation.h"
#include "app/motion/space/body_tracker.h"
#include "app/motion/track/assignment.h"

namespace glint::motion {

// Searches for the bodies that are lost, among the points that no body has.
void BodyTracker::search(const Set& set, std::span<BodyPoint> points, std::vector<PoseRow>& rows) {
  double reach = 0;
  for (size_t b = 0; b < followed_.size(); ++b)
    if (!followed_[b].motion) reach = std::max(reach, (*bodies_)[b].extent());
  if (!(reach > 0)) return;
  std::vector<SearchPoint> free;
  std::vector<int> places;
  for (size_t p = 0; p < points.size(); ++p) {
    if (points[p].body >= 0 || !points[p].measured || points[p].id == 0) continue;
    if (points[p].covariance.trace() > reach * reach / 16) continue;
    free.push_back({points[p].at, points[p].covariance});
    places.push_back(static_cast<int>(p));
  }
  if (free.size() < 3) return;
  const SearchCloud cloud(std::move(free), reach, options_.search);
  std::vector<Candidate> all;
  for (size_t kind = 0; kind < kinds_.size(); ++kind) {
    bool away = false;
    for (size_t b = kind; b < kinds_.size(); ++b) away |= kinds_[b] == kind && !followed_[b].motion;
    if (!away) continue;
    auto own = candidates(kind, set, points, cloud, places);
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.found.solid != b.found.solid ? a.found.solid > b.found.solid : a.misfit < b.misfit;
  });
  std::vector<char> used(points.size());
  std::vector<std::vector<Candidate>> chosen(kinds_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const auto taken = [&](int p) { return p >= 0 && used[static_cast<size_t>(p)]; };
    const Markers& markers = all[i].found.markers;
    if (std::any_of(markers.begin(), markers.end(), taken)) continue;
    for (const int p : markers)
      if (p >= 0) used[static_cast<size_t>(p)] = 1;
    if (!undecided(all, i)) {
      chosen[all[i].kind].push_back(std::move(all[i]));
      continue;
    }
    for (size_t b = 0; b < kinds_.size(); ++b)
      if (kinds_[b] == all[i].kind) ++followed_[b].waited;
  }
  for (size_t kind = 0; kind < chosen.size(); ++kind)
    if (!chosen[kind].empty()) settle(kind, std::move(chosen[kind]), set, points, rows);
}

// Returns the possible places of the bodies of a kind, which are found by distances and then fitted
// to the images.
std::vector<BodyTracker::Candidate> BodyTracker::candidates(size_t kind, const Set& set,
                                                            std::span<const BodyPoint> points,
                                                            const SearchCloud& cloud,
                                                            const std::vector<int>& places) const {
  const size_t count = centred_[kind].markers.size();
  std::vector<Candidate> all;
  const Body& body = (*bodies_)[kind];
  for (const BodyGuess& guess : findBody(body, cloud, options_.searchSlack, options_.search)) {
    if (all.size() == options_.maxCandidates) break;
    if (guess.found < count && !(guess.chance < options_.maxChance)) continue;
    Markers markers(count, -1);
    for (size_t m = 0; m < count; ++m)
      if (guess.points[m] >= 0) markers[m] = places[static_cast<size_t>(guess.points[m])];
    BodyPlace start;
    start.rotation = guess.motion.matrix();
    start.centre = guess.motion.apply(centred_[kind].middle);
    auto found = fit(centred_[kind], set, points, std::move(markers), start, nullptr);
    if (!found || static_cast<size_t>(found->solid) < guess.found) continue;
    const double freedom = 2 * static_cast<double>(found->sights.size()) - 6;
    all.push_back({kind, std::move(*found), 0});
    all.back().misfit = all.back().found.fit.chi2 / freedom;
  }
  return all;
}

// Returns true if another place of the same points is about as good. A body that fits onto itself
// takes any place. Other bodies wait for a clear decision, but not for ever.
bool BodyTracker::undecided(const std::vector<Candidate>& all, size_t which) const {
  const Candidate& one = all[which];
  if (symmetric_[one.kind] || followed_[one.kind].waited >= options_.maxWait) return false;
  for (size_t j = which + 1; j < all.size(); ++j) {
    const Candidate& other = all[j];
    if (other.kind != one.kind || other.found.solid < one.found.solid) continue;
    const bool shares = std::any_of(one.found.markers.begin(), one.found.markers.end(), [&](int p) {
      return p >= 0 && std::find(other.found.markers.begin(), other.found.markers.end(), p) !=
                           other.found.markers.end();
    });
    if (!shares || other.found.fit.chi2 > one.found.fit.chi2 + options_.clearChi2) continue;
    const BodyPlace &a = one.found.fit.place, &b = other.found.fit.place;
    if (rodriguesOf(a.rotation * b.rotation.transpose()).norm() > options_.samePlace ||
        (a.centre - b.centre).norm() > options_.samePlace * (*bodies_)[one.kind].extent())
      return true;
  }
  return false;
}

// Returns the place of a kind, fitted again as one body of that kind.
std::optional<BodyTracker::Found> BodyTracker::asBody(size_t body, const Found& found,
                                                      const Set& set,
                                                      std::span<const BodyPoint> points) const {
  if (kinds_[body] == body) return found;
  const BodyGuess& on = onKind_[body];
  Markers markers;
  for (const int m : on.points) markers.push_back(found.markers[static_cast<size_t>(m)]);
  const Eigen::Vector3d middle =
      on.motion.apply(centred_[body].middle) - centred_[kinds_[body]].middle;
  BodyPlace start;
  start.rotation = found.fit.place.rotation * on.motion.matrix();
  start.centre = found.fit.place.apply(middle);
  return fit(centred_[body], set, points, std::move(markers), start, nullptr);
}

// Decides which body of a kind is in which place: by the points that each had, then by its last
// place.
void BodyTracker::settle(size_t kind, std::vector<Candidate> chosen, const Set& set,
                         std::span<BodyPoint> points, std::vector<PoseRow>& rows) {
  // Costs, in mm. Every body takes a place if there is one (kTaken). One that was never seen comes
  // after all others (kUnknown), and each point that a body had counts more than any distance.
  constexpr double kTaken = -1e9, kUnknown = 1e6, kSamePoint = 1e5;
  std::vector<size_t> away;
  for (size_t b = kind; b < kinds_.size(); ++b)
    if (kinds_[b] == kind && !followed_[b].motion) away.push_back(b);
  std::vector<AllowedPair> pairs;
  for (size_t i = 0; i < away.size(); ++i) {
    const Followed& own = followed_[away[i]];
    for (size_t c = 0; c < chosen.size(); ++c) {
      double cost = kUnknown + static_cast<double>(c) * (static_cast<double>(i) + 1);
      if (own.last) {
        cost = (own.last->centre - chosen[c].found.fit.place.centre).norm();
        for (const int p : chosen[c].found.markers)
          if (p >= 0 && std::find(own.ids.begin(), own.ids.end(),
                                  points[static_cast<size_t>(p)].id) != own.ids.end())
            cost -= kSamePoint;
      }
      pairs.push_back({static_cast<int>(i), static_cast<int>(c), kTaken + cost});
    }
  }
  const auto where = assign(static_cast<int>(away.size()), static_cast<int>(chosen.size()), pairs);
  for (size_t i = 0; i < away.size(); ++i) {
    if (where[i] < 0) continue;
    Followed& own = followed_[away[i]];
    const auto one = asBody(away[i], chosen[static_cast<size_t>(where[i])].found, set, points);
    if (!one) continue;
    if (chosen.size() > away.size() && !own.last && !std::exchange(own.told, true))
      notes_.push_back(fmt::format("the body '{}' fits in {} places of frame {}; one is taken",
                                   (*bodies_)[away[i]].name, chosen.size(), set.frame));
    BodyPlace first = one->fit.place;
    first.covariance =
        statedPlace(set.rig, set.floor, centred_[away[i]], one->sights, one->fit).images;
    own.motion.emplace(first, options_.motion);
    own.alone = 0;
    own.waited = 0;
    rows.push_back(rowOf(away[i], set, *one, nullptr, points));
    std::fill(own.ids.begin(), own.ids.end(), 0);
    take(away[i], *one, points);
  }
}

}  // namespace glint::motion
