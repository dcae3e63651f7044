#include "app/track/stitcher.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "app/track/views.h"

namespace glint {
namespace {

// How much likelier a join must be than everything else together: as the map of a scene tells, and
// as motion alone does, which more markers than those of a body may share by chance.
constexpr double kOdds = 1.3;
constexpr double kOddsOfMotion = 1.8;
// Markers that begin without having been seen before, per marker there is.
constexpr double kUnseen = 0.02;
// Tracks around an ended one that are remembered with it, and those that density is taken from.
constexpr size_t kCompanions = 32;
constexpr size_t kSceneNeighbours = 5;
// Scenes that are remembered, and s between them; with more tracks none are, which takes too long.
constexpr size_t kScenes = 24;
constexpr double kScenesApart = 0.2;
constexpr size_t kMostWatched = 256;
// That an affine map and the directions of its errors are taken from, at least. How much smaller
// the determinant of its covariance must be than without: of many maps one is sharp by chance.
constexpr size_t kMapped = 10;
constexpr double kSharper = 4;
// Scenes that are looked at together with each other one: those that tell most by themselves.
constexpr size_t kFirstViews = 4;
// px: no guess is better than this, of what was at rest than the other; density is not taken from
// less than a radius of kLeastSceneRadius.
constexpr double kLeastSigma = 2;
constexpr double kLeastAtRest = 0.5;
constexpr double kLeastSceneRadius = 5;
// Markers per px^2 where there is no other.
constexpr double kEmptyDensity = 1e-6;

double square(double x, double y) {
  return x * x + y * y;
}

bool byId(const TrackPlace& a, const TrackPlace& b) {
  return a.id < b.id;
}

double distance2(const TrackPlace& a, const TrackPlace& b) {
  return square(a.x - b.x, a.y - b.y);
}

// `own` and the nearest of the others, by id.
Constellation nearestOf(const TrackPlace& own, std::span<const TrackPlace> all) {
  std::vector<std::pair<double, size_t>> near;  // squared distance, place in `all`
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].id != own.id) near.emplace_back(distance2(all[i], own), i);
  if (near.size() > kCompanions) {
    std::nth_element(near.begin(), near.begin() + kCompanions, near.end());
    near.resize(kCompanions);
  }
  Constellation seen{own, {}};
  for (const auto& [distance, i] : near) seen.companions.push_back(all[i]);
  std::sort(seen.companions.begin(), seen.companions.end(), byId);
  return seen;
}

// Of markers around the new track `f`, per px^2.
double densityAround(std::span<const NewTrack> found, size_t f,
                     std::span<const TrackPlace> others) {
  std::vector<double> distances;  // squared
  for (const TrackPlace& other : others) distances.push_back(distance2(found[f].now, other));
  for (size_t g = 0; g < found.size(); ++g)
    if (g != f) distances.push_back(distance2(found[f].now, found[g].now));
  const size_t count = std::min(kSceneNeighbours, distances.size());
  if (count == 0) return kEmptyDensity;
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(distances.begin(), last, distances.end());
  const double area = std::numbers::pi * std::max(*last, kLeastSceneRadius * kLeastSceneRadius);
  return std::max(kEmptyDensity, static_cast<double>(count) / area);
}

}  // namespace

void Stitcher::watch(std::span<const TrackPlace> tracks, double clock) {
  if (tracks.size() > kMostWatched) scenes_.clear();
  if (tracks.size() > kMostWatched || (!scenes_.empty() && clock - watched_ < kScenesApart)) return;
  watched_ = clock;
  scenes_.emplace_back(tracks.begin(), tracks.end());
  if (scenes_.size() > kScenes) scenes_.pop_front();
}

void Stitcher::remember(const EndedTrack& track) {
  Lost lost{track.last, track.clock, track.restlessness, {}};
  lost.seen.push_back(nearestOf(track.last, track.companions));
  for (auto scene = scenes_.rbegin(); scene != scenes_.rend(); ++scene) {
    const auto own = std::find_if(scene->begin(), scene->end(), [&](const TrackPlace& place) {
      return place.id == track.last.id;
    });
    if (own != scene->end()) lost.seen.push_back(nearestOf(*own, *scene));
  }
  ended_.push_back(std::move(lost));
}

std::vector<TrackId> Stitcher::join(std::span<const NewTrack> found, std::vector<TrackPlace> others,
                                    double now, double interval) {
  std::vector<TrackId> ids(found.size());
  if (found.empty()) return ids;
  std::erase_if(ended_, [&](const Lost& ended) {
    return std::all_of(found.begin(), found.end(), [&](const NewTrack& track) {
      return track.since - ended.clock > settings_.stitchGap;
    });
  });
  Frame frame{std::move(others), now, interval};
  std::sort(frame.tracks.begin(), frame.tracks.end(), byId);
  // What was joined tells where others are to be expected.
  while (!ended_.empty() && joinClear(found, ids, frame)) {
  }
  return ids;
}

// Joins every pair that is clear. False if there was none.
bool Stitcher::joinClear(std::span<const NewTrack> found, std::vector<TrackId>& ids, Frame& frame) {
  const size_t width = ended_.size();
  std::vector<double> likely(found.size() * width, 0);
  std::vector<double> byFound(found.size(), 0), byEnded(width, 0);
  std::vector<double> odds(width);
  for (size_t e = 0; e < width; ++e) {
    std::optional<Guess> guess;  // takes long
    for (size_t f = 0; f < found.size(); ++f) {
      if (ids[f] != TrackId() || !isWithinReach(ended_[e], found[f], frame)) continue;
      if (!guess) guess = expect(ended_[e], frame);
      odds[e] = guess->freedom > 0 ? kOdds : kOddsOfMotion;
      const double density = guess->density(found[f].now.x, found[f].now.y);
      likely[f * width + e] = density;
      byFound[f] += density;
      byEnded[e] += density;
    }
  }
  std::vector<TrackPlace> joined;
  for (size_t f = 0; f < found.size(); ++f) {
    if (byFound[f] == 0) continue;
    const double unseen = kUnseen * densityAround(found, f, frame.tracks);
    for (size_t e = 0; e < width && ids[f] == TrackId(); ++e) {
      const double own = likely[f * width + e];
      if (own <= odds[e] * (byFound[f] - own + unseen)) continue;
      if (own <= odds[e] * (byEnded[e] - own + unseen)) continue;
      ids[f] = ended_[e].last.id;
      joined.push_back(found[f].now);
      joined.back().id = ids[f];
    }
  }
  for (const TrackPlace& place : joined) {
    std::erase_if(ended_, [&](const Lost& ended) { return ended.last.id == place.id; });
    const auto at = std::upper_bound(frame.tracks.begin(), frame.tracks.end(), place, byId);
    frame.tracks.insert(at, place);
  }
  stitches_ += joined.size();
  return !joined.empty();
}

bool Stitcher::isWithinReach(const Lost& lost, const NewTrack& found, const Frame& frame) const {
  const double gap = found.since - lost.clock;
  if (gap <= 0 || gap > settings_.stitchGap) return false;
  const double frames = (frame.now - lost.clock) / frame.interval;
  return std::sqrt(distance2(found.now, lost.last)) <= settings_.maxSpeed * frames;
}

// What the frame of its last measurement tells.
Guess Stitcher::sinceLast(const Lost& lost, const Frame& frame) const {
  const TrackPlace& from = lost.last;
  const double span = frame.now - lost.clock;
  const Common last = common(lost.seen.front(), frame.tracks);
  const double least = std::max(kLeastSigma * lost.restlessness, kLeastAtRest);
  if (last.then.size() < 3) {  // alone: anywhere that its speed, or a change of it, could take it
    const double change = lost.restlessness * settings_.acceleration / 2 / frame.interval;
    const double speed = std::hypot(from.vx, from.vy) + change;
    const double reach = std::max(speed * span / 2, kLeastSigma);
    return {from.x, from.y, reach * reach, 0, reach * reach};
  }
  const Guess straight = straightOn(last, span, least), together = displaced(last, least);
  return straight.determinant() < together.determinant() ? straight : together;
}

// The sharpest of the guesses that the companions tell.
Guess Stitcher::expect(const Lost& lost, const Frame& frame) const {
  Guess best = sinceLast(lost, frame);
  double sharpest = best.determinant() / kSharper;
  const auto consider = [&](const Guess& guess) {
    if (guess.determinant() >= sharpest) return;
    sharpest = guess.determinant();
    best = guess;
  };
  std::vector<std::pair<double, const Constellation*>> views;  // by how sharp each is alone
  for (const Constellation& seen : lost.seen) {
    const Common both = common(seen, frame.tracks);
    if (both.then.size() < kMapped) continue;
    const Guess guess = mapped(both);
    consider(guess);
    views.emplace_back(guess.determinant(), &seen);
  }
  std::stable_sort(views.begin(), views.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t one = 0; one < std::min(kFirstViews, views.size()); ++one)
    for (size_t two = one + 1; two < views.size(); ++two)
      if (const auto guess =
              combined(*views[one].second, *views[two].second, frame.tracks, kMapped))
        consider(*guess);
  return best;
}

}  // namespace glint
