#include "app/motion/track/jumps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "app/motion/track/assignment.h"
#include "app/motion/track/place_grid.h"

namespace glint::motion {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

bool jumpsAreFrequent(const JumpSearch& search) {
  return search.scene.jumps() >= search.options.frequentShare * search.scene.sightings();
}

// Returns the distance (px) of an observation from the last or the predicted place of a track,
// whichever is nearer.
double distance(const Anchor& track, const Observation& o) {
  return std::min(std::hypot(o.x - track.x, o.y - track.y),
                  std::hypot(o.x - track.expectedX, o.y - track.expectedY));
}

// The nearest of some candidates, and the distance of the second nearest one.
struct Nearest {
  size_t which = 0;
  double distance = kFar, next = kFar;  // px

  // Takes another candidate into account. Of equally near ones, the one with the lower number wins.
  void consider(size_t candidate, double away) {
    if (away < distance || (away == distance && candidate < which)) {
      next = distance;
      distance = away;
      which = candidate;
    } else {
      next = std::min(next, away);
    }
  }

  // Returns true if candidates farther than `reach` (px) could not change the decision.
  bool isDecided(double reach, const JumpOptions& options) const {
    return next <= reach || options.clearnessIfRare * distance <= reach;
  }
};

// Some places, with a grid for finding them.
struct Spots {
  explicit Spots(std::vector<GridPlace> all) : places(std::move(all)), grid(places) {}

  template <class Things, class PlaceOf>
  static Spots of(const Things& things, PlaceOf&& placeOf) {
    std::vector<GridPlace> all;
    for (const auto& thing : things) all.push_back(placeOf(thing));
    return Spots(std::move(all));
  }

  std::vector<GridPlace> places;
  PlaceGrid grid;
};

// Returns the nearest of some things that have two places each, one in `one` and one in `two`. The
// search goes outwards from `a` in `one` and from `b` in `two`, and stops at `farthest` (px).
// `distanceTo` returns the distance of a thing by its number.
template <class DistanceTo>
Nearest nearestAround(const Spots& one, const GridPlace& a, const Spots& two, const GridPlace& b,
                      double farthest, const JumpOptions& options, DistanceTo&& distanceTo) {
  for (double reach = one.grid.side();; reach *= 2) {
    Nearest found;
    one.grid.around(a, reach, reach, [&](size_t i) { found.consider(i, distanceTo(i)); });
    two.grid.around(b, reach, reach, [&](size_t i) {
      const GridPlace& place = one.places[i];
      const bool considered = std::abs(place.x - a.x) <= reach && std::abs(place.y - a.y) <= reach;
      if (!considered) found.consider(i, distanceTo(i));
    });
    if (found.isDecided(reach, options) || (found.distance > reach && reach >= farthest))
      return found;
  }
}

// A possible displacement of a recent track to an observation.
struct Move {
  size_t track, observation;
  double x, y;  // px
};

// Returns all possible moves, or none if there are too many.
std::vector<Move> movesOf(std::span<const Anchor> tracks, std::span<const Observation> seen,
                          const JumpSearch& search) {
  std::vector<Move> moves;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (!tracks[t].recent) continue;
    for (size_t o = 0; o < seen.size(); ++o) {
      const double x = seen[o].x - tracks[t].x, y = seen[o].y - tracks[t].y;
      if (std::hypot(x, y) <= search.farthest) moves.push_back({t, o, x, y});
      if (moves.size() > search.options.maxPairs) return {};
    }
  }
  return moves;
}

// Returns how much (px) other moves may differ from this one and still agree with it.
double slackOf(const Move& move, const JumpOptions& options) {
  return options.minSlack + options.slackShare * std::hypot(move.x, move.y);
}

// Returns the moves that agree with `move`. Each track and each observation is in at most one of
// them.
std::vector<Move> agreeingWith(const Move& move, const std::vector<Move>& moves, size_t tracks,
                               size_t observations, const JumpOptions& options) {
  const double slack = slackOf(move, options);
  std::vector<AllowedPair> pairs;
  for (const Move& other : moves) {
    const double away = std::hypot(other.x - move.x, other.y - move.y);
    // Costs are between -2 and -1, so that two pairs always cost less than one.
    if (away < slack)
      pairs.push_back({static_cast<int>(other.track), static_cast<int>(other.observation),
                       away * away / (slack * slack) - 2});
  }
  const std::vector<int> column =
      assign(static_cast<int>(tracks), static_cast<int>(observations), pairs);
  std::vector<Move> agreed;
  for (const Move& other : moves)
    if (column[other.track] == static_cast<int>(other.observation)) agreed.push_back(other);
  return agreed;
}

// Returns the moves of the displacement with which most tracks agree. Of equally good ones it takes
// the one with the closest agreement and the shortest displacement.
std::vector<Move> mostCommon(const std::vector<Move>& moves, size_t tracks, size_t observations,
                             const JumpOptions& options) {
  size_t most = 0;
  double least = kFar;
  const Move* best = nullptr;
  std::vector<bool> counted(tracks);
  for (const Move& move : moves) {
    const double slack = slackOf(move, options);
    std::fill(counted.begin(), counted.end(), false);
    size_t agreeing = 0;
    double strays = 0;
    for (const Move& other : moves) {
      const double x = other.x - move.x, y = other.y - move.y;
      if (std::abs(x) >= slack || std::abs(y) >= slack || counted[other.track]) continue;
      const double away = std::hypot(x, y);
      if (away >= slack) continue;
      counted[other.track] = true;
      ++agreeing;
      strays += away;
    }
    const double cost = strays + std::hypot(move.x, move.y);
    if (agreeing < most || (agreeing == most && cost >= least)) continue;
    most = agreeing;
    least = cost;
    best = &move;
  }
  return best ? agreeingWith(*best, moves, tracks, observations, options) : std::vector<Move>();
}

}  // namespace

std::vector<size_t> joinJumps(std::span<const Anchor> tracks, std::span<const Observation> seen,
                              const JumpSearch& search, std::vector<int>& matches) {
  const JumpOptions& options = search.options;
  const bool frequent = jumpsAreFrequent(search);
  std::vector<bool> used(seen.size(), false);
  std::vector<size_t> alone, joined;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (matches[t] >= 0)
      used[static_cast<size_t>(matches[t])] = true;
    else if (tracks[t].recent || (tracks[t].missed && frequent))
      alone.push_back(t);
  }
  if (alone.empty() || alone.size() > options.maxTracks) return joined;

  // Find pairs of a track and an observation of which each is by far the nearest to the other.
  const Spots spots = Spots::of(seen, [](const Observation& o) { return GridPlace{o.x, o.y}; });
  const Spots last = Spots::of(tracks, [](const Anchor& track) {
    return GridPlace{track.x, track.y};
  });
  const Spots next = Spots::of(tracks, [](const Anchor& track) {
    return GridPlace{track.expectedX, track.expectedY};
  });
  // A track, and its observation.
  std::vector<std::pair<size_t, Nearest>> clear;
  for (const size_t t : alone) {
    const double farthest = tracks[t].known ? search.farthest : search.firstStep;
    const Nearest spot =
        nearestAround(spots, last.places[t], spots, next.places[t], farthest, options,
                      [&](size_t o) { return distance(tracks[t], seen[o]); });
    if (spot.distance > farthest || spot.next < options.clearness * spot.distance ||
        used[spot.which])
      continue;
    const GridPlace& there = spots.places[spot.which];
    const Nearest owner = nearestAround(last, there, next, there, kFar, options, [&](size_t other) {
      return distance(tracks[other], seen[spot.which]);
    });
    if (owner.which != t || owner.next < options.clearness * owner.distance) continue;
    clear.emplace_back(t, spot);
    clear.back().second.next = std::min(spot.next, owner.next);
  }

  // Join those for which a jump is more likely than a light without a track within that distance.
  const auto left =
      std::count(used.begin(), used.end(), false) - static_cast<std::ptrdiff_t>(clear.size());
  const double density =
      std::max(search.scene.strangers(), static_cast<double>(left)) / search.scene.area();
  const double share =
      (search.scene.jumps() + static_cast<double>(clear.size())) /
      (search.scene.sightings() + static_cast<double>(clear.size()) + static_cast<double>(left));
  if (share < options.minShare) return joined;
  for (const auto& [t, spot] : clear) {
    const double byChance = std::numbers::pi * spot.distance * spot.distance * density;
    const bool distinct = spot.next >= options.clearnessIfRare * spot.distance;
    if (options.odds * byChance > share || (share < options.frequentShare && !distinct)) continue;
    matches[t] = static_cast<int>(spot.which);
    joined.push_back(t);
  }
  return joined;
}

std::vector<size_t> joinCommonJump(std::span<const Anchor> tracks,
                                   std::span<const Observation> seen, const JumpSearch& search,
                                   std::vector<int>& matches) {
  const JumpOptions& options = search.options;
  // Clutter begins tracks as well, so only confirmed tracks count as soon as there are enough of
  // them.
  const auto confirmed = std::count_if(tracks.begin(), tracks.end(), [](const Anchor& track) {
    return track.recent && track.confirmed;
  });
  const bool all = confirmed < static_cast<std::ptrdiff_t>(options.minCommonTracks);
  size_t recent = 0, matched = 0;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (!tracks[t].recent || !(all || tracks[t].confirmed)) continue;
    ++recent;
    matched += matches[t] >= 0;
  }
  const double count = static_cast<double>(recent);
  // If jumps are frequent, a match by motion may be with another marker of the same card.
  const bool frequent = jumpsAreFrequent(search);
  if (recent < options.minCommonTracks || recent > options.maxTracks ||
      (!frequent && static_cast<double>(matched) >= options.explainedShare * count))
    return {};
  const std::vector<Move> moves = movesOf(tracks, seen, search);
  const std::vector<Move> agreed = mostCommon(moves, tracks.size(), seen.size(), options);
  const double enough = frequent ? options.explainedShare : options.commonShare;
  if (agreed.size() < options.minCommonTracks ||
      static_cast<double>(agreed.size()) < enough * count ||
      agreed.size() < matched + (frequent ? 0 : 2))
    return {};

  // Match again by the common displacement. Other tracks lose observations that it needs.
  std::vector<size_t> joined;
  std::vector<bool> taken(seen.size(), false), followed(tracks.size(), false);
  for (const Move& move : agreed) {
    if (matches[move.track] != static_cast<int>(move.observation)) joined.push_back(move.track);
    followed[move.track] = true;
    taken[move.observation] = true;
    matches[move.track] = static_cast<int>(move.observation);
  }
  for (size_t t = 0; t < tracks.size(); ++t)
    if (!followed[t] && matches[t] >= 0 && taken[static_cast<size_t>(matches[t])]) matches[t] = -1;
  return joined;
}

}  // namespace glint::motion
