#include "app/track/jumps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "app/track/assignment.h"
#include "app/track/place_grid.h"

namespace glint {
namespace {

// How much farther the next nearest must be: where markers jump often, and where they seldom do.
constexpr double kClear = 1.5;
constexpr double kClearRare = 3;
constexpr double kOften = 0.1;
// How much likelier a jump must be than a stranger within its distance.
constexpr double kJumpOdds = 10;
// Where fewer of the markers jump, what looks like one is a bounce or another marker: it is left to
// be confirmed first, and then to be adopted.
constexpr double kLeastShare = 0.01;
// A common displacement explains what ends within so many px, and this share of it: cards turn.
constexpr double kLeastSlack = 3;
constexpr double kSlack = 0.15;
// Of the recent tracks: fewer than kExplained must be matched, and at least kCommon follow.
constexpr double kExplained = 0.8;
constexpr double kCommon = 0.6;
constexpr size_t kLeastCommon = 3;
// Beyond so many tracks without an observation a scene is not sparse, nor are pairs few.
constexpr size_t kMostFree = 512;
constexpr size_t kMostPairs = 600;
constexpr double kFar = std::numeric_limits<double>::infinity();

double distance(const Anchor& track, const Observation& o) {
  return std::min(std::hypot(o.x - track.x, o.y - track.y),
                  std::hypot(o.x - track.expectedX, o.y - track.expectedY));
}

struct Nearest {
  size_t which = 0;
  double distance = kFar, next = kFar;  // px; next: of the second nearest

  /// Of equally near ones the first counts.
  void look(size_t candidate, double away) {
    if (away < distance || (away == distance && candidate < which)) {
      next = distance;
      distance = away;
      which = candidate;
    } else {
      next = std::min(next, away);
    }
  }

  /// Whether more could change nothing once all up to `reach` px were looked at.
  bool isClear(double reach) const { return next <= reach || kClearRare * distance <= reach; }
};

/// Places and the grid that finds them.
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

/// The nearest of some things, each of which is both among `one` around `a` and among `two` around
/// `b`, of which the nearer counts; if it is no farther away than `farthest`, px.
template <class DistanceTo>
Nearest nearestAround(const Spots& one, const GridPlace& a, const Spots& two, const GridPlace& b,
                      double farthest, DistanceTo&& distanceTo) {
  for (double reach = one.grid.side();; reach *= 2) {
    Nearest found;
    one.grid.around(a, reach, reach, [&](size_t i) { found.look(i, distanceTo(i)); });
    two.grid.around(b, reach, reach, [&](size_t i) {
      const GridPlace& place = one.places[i];
      const bool seen = std::abs(place.x - a.x) <= reach && std::abs(place.y - a.y) <= reach;
      if (!seen) found.look(i, distanceTo(i));
    });
    if (found.isClear(reach) || (found.distance > reach && reach >= farthest)) return found;
  }
}

/// A displacement from a recent track to an observation.
struct Move {
  size_t track, observation;
  double x, y;  // px
};

std::vector<Move> movesOf(std::span<const Anchor> tracks, std::span<const Observation> seen,
                          double farthest) {
  std::vector<Move> moves;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (!tracks[t].recent) continue;
    for (size_t o = 0; o < seen.size(); ++o) {
      const double x = seen[o].x - tracks[t].x, y = seen[o].y - tracks[t].y;
      if (std::hypot(x, y) <= farthest) moves.push_back({t, o, x, y});
      if (moves.size() > kMostPairs) return {};
    }
  }
  return moves;
}

double slackOf(const Move& move) {
  return kLeastSlack + kSlack * std::hypot(move.x, move.y);
}

// The pairs of tracks and observations that agree with `move`, one to one.
std::vector<Move> following(const std::vector<Move>& moves, const Move& move, size_t tracks,
                            size_t observations) {
  const double slack = slackOf(move);
  std::vector<AllowedPair> pairs;
  for (const Move& other : moves) {
    const double away = std::hypot(other.x - move.x, other.y - move.y);
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

// The displacement with which most agree, of equal ones the shorter.
std::vector<Move> mostCommon(const std::vector<Move>& moves, size_t tracks, size_t observations) {
  size_t most = 0;
  double least = kFar;
  const Move* best = nullptr;
  std::vector<bool> counted(tracks);
  for (const Move& move : moves) {
    const double slack = slackOf(move);
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
  return best ? following(moves, *best, tracks, observations) : std::vector<Move>();
}

}  // namespace

std::vector<size_t> joinJumps(std::span<const Anchor> tracks, std::span<const Observation> seen,
                              const JumpLimits& limits, std::vector<int>& matches) {
  std::vector<bool> used(seen.size(), false);
  std::vector<size_t> alone, joined;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (matches[t] >= 0)
      used[static_cast<size_t>(matches[t])] = true;
    else if (tracks[t].recent || (tracks[t].missed && limits.jumps >= kOften * limits.sightings))
      alone.push_back(t);
  }
  if (alone.empty() || alone.size() > kMostFree) return joined;
  const Spots spots = Spots::of(seen, [](const Observation& o) { return GridPlace{o.x, o.y}; });
  const Spots last = Spots::of(tracks, [](const Anchor& track) {
    return GridPlace{track.x, track.y};
  });
  const Spots next = Spots::of(tracks, [](const Anchor& track) {
    return GridPlace{track.expectedX, track.expectedY};
  });
  std::vector<std::pair<size_t, Nearest>> clear;
  for (const size_t t : alone) {
    const double farthest = tracks[t].known ? limits.farthest : limits.firstStep;
    const Nearest spot = nearestAround(spots, last.places[t], spots, next.places[t], farthest,
                                       [&](size_t o) { return distance(tracks[t], seen[o]); });
    if (spot.distance > farthest || spot.next < kClear * spot.distance || used[spot.which])
      continue;
    const GridPlace& there = spots.places[spot.which];
    const Nearest owner = nearestAround(last, there, next, there, kFar, [&](size_t other) {
      return distance(tracks[other], seen[spot.which]);
    });
    if (owner.which != t || owner.next < kClear * owner.distance) continue;
    clear.emplace_back(t, spot);
    clear.back().second.next = std::min(spot.next, owner.next);
  }
  const auto left =
      std::count(used.begin(), used.end(), false) - static_cast<std::ptrdiff_t>(clear.size());
  const double density = std::max(limits.strangers, static_cast<double>(left)) / limits.area;
  const double share =
      (limits.jumps + static_cast<double>(clear.size())) /
      (limits.sightings + static_cast<double>(clear.size()) + static_cast<double>(left));
  if (share < kLeastShare) return joined;
  for (const auto& [t, spot] : clear) {
    const double by = std::numbers::pi * spot.distance * spot.distance * density;
    const bool distinct = spot.next >= kClearRare * spot.distance;
    if (kJumpOdds * by > share || (share < kOften && !distinct)) continue;
    matches[t] = static_cast<int>(spot.which);
    joined.push_back(t);
  }
  return joined;
}

std::vector<size_t> joinCommonJump(std::span<const Anchor> tracks,
                                   std::span<const Observation> seen, const JumpLimits& limits,
                                   std::vector<int>& matches) {
  // Clutter begins tracks, too: those that are confirmed tell, once there are enough.
  const auto confirmed = std::count_if(tracks.begin(), tracks.end(), [](const Anchor& track) {
    return track.recent && track.confirmed;
  });
  const bool all = confirmed < static_cast<std::ptrdiff_t>(kLeastCommon);
  size_t recent = 0, matched = 0;
  for (size_t t = 0; t < tracks.size(); ++t) {
    if (!tracks[t].recent || !(all || tracks[t].confirmed)) continue;
    ++recent;
    matched += matches[t] >= 0;
  }
  const double share = static_cast<double>(recent);
  // Where jumps are usual, what motion foretells may be another marker of the same card.
  const bool often = limits.jumps >= kOften * limits.sightings;
  if (recent < kLeastCommon || recent > kMostFree ||
      (!often && static_cast<double>(matched) >= kExplained * share))
    return {};
  const std::vector<Move> moves = movesOf(tracks, seen, limits.farthest);
  const std::vector<Move> agreed = mostCommon(moves, tracks.size(), seen.size());
  const double enough = often ? kExplained : kCommon;
  if (agreed.size() < kLeastCommon || static_cast<double>(agreed.size()) < enough * share ||
      agreed.size() < matched + (often ? 0 : 2))
    return {};
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

}  // namespace glint
