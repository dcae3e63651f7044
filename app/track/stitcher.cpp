#include "app/track/stitcher.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace glint {
namespace {

// How much likelier a join must be than everything else together.
constexpr double kOdds = 5;
// Markers that begin without having been seen before, per marker there is.
constexpr double kUnseen = 0.05;
// Tracks around an ended one that are remembered with it, and those that density is taken from.
constexpr size_t kCompanions = 32;
constexpr size_t kNeighbours = 5;
// px: within this distance companions count alike, beyond it by the inverse square.
constexpr double kNear = 30;
// px: no guess is better than this; density is not taken from less than a radius of kLeastRadius.
constexpr double kLeastSigma = 2;
constexpr double kLeastRadius = 5;
// Markers per px^2 where there is no other.
constexpr double kEmptyDensity = 1e-6;

double square(double x, double y) {
  return x * x + y * y;
}

double distance2(const TrackPlace& a, const TrackPlace& b) {
  return square(a.x - b.x, a.y - b.y);
}

// Of markers around the new track `f`, per px^2.
double densityAround(std::span<const NewTrack> found, size_t f,
                     std::span<const TrackPlace> others) {
  std::vector<double> distances;  // squared
  for (const TrackPlace& other : others) distances.push_back(distance2(found[f].now, other));
  for (size_t g = 0; g < found.size(); ++g)
    if (g != f) distances.push_back(distance2(found[f].now, found[g].now));
  const size_t count = std::min(kNeighbours, distances.size());
  if (count == 0) return kEmptyDensity;
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(distances.begin(), last, distances.end());
  const double area = std::numbers::pi * std::max(*last, kLeastRadius * kLeastRadius);
  return std::max(kEmptyDensity, static_cast<double>(count) / area);
}

}  // namespace

void Stitcher::remember(EndedTrack track) {
  std::stable_sort(track.companions.begin(), track.companions.end(),
                   [&](const TrackPlace& a, const TrackPlace& b) {
                     return distance2(a, track.last) < distance2(b, track.last);
                   });
  if (track.companions.size() > kCompanions) track.companions.resize(kCompanions);
  ended_.push_back(std::move(track));
}

std::vector<uint64_t> Stitcher::join(std::span<const NewTrack> found,
                                     std::vector<TrackPlace> others, double now, double interval) {
  std::vector<uint64_t> ids(found.size(), 0);
  if (found.empty()) return ids;
  std::erase_if(ended_, [&](const EndedTrack& ended) {
    return std::all_of(found.begin(), found.end(), [&](const NewTrack& track) {
      return track.since - ended.clock > settings_.stitchGap;
    });
  });
  Frame frame{std::move(others), now, interval};
  // What was joined tells where others are to be expected.
  while (!ended_.empty() && joinClear(found, ids, frame)) {
  }
  return ids;
}

// Joins every pair that is clear. False if there was none.
bool Stitcher::joinClear(std::span<const NewTrack> found, std::vector<uint64_t>& ids,
                         Frame& frame) {
  const size_t width = ended_.size();
  std::vector<double> likely(found.size() * width, 0);
  std::vector<double> byFound(found.size(), 0), byEnded(width, 0);
  for (size_t e = 0; e < width; ++e) {
    const Guess guess = expect(ended_[e], frame);
    for (size_t f = 0; f < found.size(); ++f) {
      if (ids[f] != 0) continue;
      const double density = likelihood(ended_[e], guess, found[f], frame);
      likely[f * width + e] = density;
      byFound[f] += density;
      byEnded[e] += density;
    }
  }
  std::vector<TrackPlace> joined;
  for (size_t f = 0; f < found.size(); ++f) {
    const double unseen = kUnseen * densityAround(found, f, frame.tracks);
    for (size_t e = 0; e < width && ids[f] == 0; ++e) {
      const double own = likely[f * width + e];
      if (own <= kOdds * (byFound[f] - own + unseen)) continue;
      if (own <= kOdds * (byEnded[e] - own + unseen)) continue;
      ids[f] = ended_[e].last.id;
      joined.push_back(found[f].now);
      joined.back().id = ids[f];
    }
  }
  for (const TrackPlace& place : joined) {
    std::erase_if(ended_, [&](const EndedTrack& ended) { return ended.last.id == place.id; });
    frame.tracks.push_back(place);
  }
  stitches_ += joined.size();
  return !joined.empty();
}

// The density of the ended track's place now, px^-2, where `found` is.
double Stitcher::likelihood(const EndedTrack& lost, const Guess& guess, const NewTrack& found,
                            const Frame& frame) const {
  if (found.since - lost.clock > settings_.stitchGap) return 0;
  const double frames = (frame.now - lost.clock) / frame.interval;
  const double moved = std::sqrt(distance2(found.now, lost.last));
  if (moved > settings_.maxSpeed * frames) return 0;
  const double d2 = square(found.now.x - guess.x, found.now.y - guess.y) / guess.variance;
  return std::exp(-d2 / 2) / (2 * std::numbers::pi * guess.variance);
}

// Two guesses: it kept its velocity, or it was displaced as its companions were, the near ones
// above all. The companions tell which is better, and how good: by their own distances from what
// the same guess, made without them, would have been.
Stitcher::Guess Stitcher::expect(const EndedTrack& lost, const Frame& frame) const {
  struct Companion {
    double weight, dx, dy, strayX, strayY;
  };
  const TrackPlace& from = lost.last;
  const double span = frame.now - lost.clock;
  std::vector<Companion> seen;
  double weights = 0;
  for (const TrackPlace& then : lost.companions) {
    const auto now = std::find_if(frame.tracks.begin(), frame.tracks.end(),
                                  [&](const TrackPlace& track) { return track.id == then.id; });
    if (now == frame.tracks.end()) continue;
    const double weight = 1 / (distance2(then, from) + kNear * kNear);
    const double dx = now->x - then.x, dy = now->y - then.y;
    seen.push_back({weight, dx, dy, dx - then.vx * span, dy - then.vy * span});
    weights += weight;
  }
  if (seen.size() < 3) {  // alone: anywhere that its speed, or a change of it, could take it
    const double speed = std::hypot(from.vx, from.vy) + settings_.acceleration / 2 / frame.interval;
    const double reach = std::max(speed * span / 2, kLeastSigma);
    return {from.x, from.y, reach * reach};
  }
  double meanX = 0, meanY = 0, squares = 0;
  for (Companion& c : seen) {
    c.weight /= weights;
    meanX += c.weight * c.dx;
    meanY += c.weight * c.dy;
    squares += c.weight * c.weight;
  }
  double straight = 0, together = 0;
  for (const Companion& c : seen) {
    straight += c.weight * square(c.strayX, c.strayY) / 2;
    const double others = 1 - c.weight;  // c is this much farther from the mean of the others
    together += c.weight * square((c.dx - meanX) / others, (c.dy - meanY) / others) / 2;
  }
  // 1 / squares companions in effect: so few tell a variance no better.
  const double few = 1 + 2 * squares, least = kLeastSigma * kLeastSigma;
  if (straight < together)
    return {from.x + from.vx * span, from.y + from.vy * span, std::max(few * straight, least)};
  return {from.x + meanX, from.y + meanY, std::max(few * together, least)};
}

}  // namespace glint
