#include "app/motion/track/stitcher.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "app/motion/track/views.h"

namespace glint::motion {
namespace {

double square(double x, double y) {
  return x * x + y * y;
}

bool byId(const TrackPlace& a, const TrackPlace& b) {
  return a.id < b.id;
}

double distance2(const TrackPlace& a, const TrackPlace& b) {
  return square(a.x - b.x, a.y - b.y);
}

// Returns `own` with the `count` nearest of the other tracks, sorted by id.
Constellation nearestOf(const TrackPlace& own, std::span<const TrackPlace> all, size_t count) {
  // Squared distance, and index in `all`.
  std::vector<std::pair<double, size_t>> near;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].id != own.id) near.emplace_back(distance2(all[i], own), i);
  if (near.size() > count) {
    std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    near.resize(count);
  }
  Constellation seen{own, {}};
  for (const auto& [distance, i] : near) seen.companions.push_back(all[i]);
  std::sort(seen.companions.begin(), seen.companions.end(), byId);
  return seen;
}

// Returns the density of markers around the new track `f`, per px^2.
double densityAround(std::span<const NewTrack> found, size_t f, std::span<const TrackPlace> others,
                     const StitcherOptions& options) {
  std::vector<double> distances;  // px^2
  for (const TrackPlace& other : others) distances.push_back(distance2(found[f].now, other));
  for (size_t g = 0; g < found.size(); ++g)
    if (g != f) distances.push_back(distance2(found[f].now, found[g].now));
  const size_t count = std::min(options.neighbours, distances.size());
  if (count == 0) return options.minDensity;
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(distances.begin(), last, distances.end());
  const double area = std::numbers::pi * std::max(*last, options.minRadius * options.minRadius);
  return std::max(options.minDensity, static_cast<double>(count) / area);
}

}  // namespace

void Stitcher::watch(std::span<const TrackPlace> tracks, double clock) {
  const bool tooMany = tracks.size() > options_.maxSceneTracks;
  if (tooMany) scenes_.clear();
  if (tooMany || (!scenes_.empty() && clock - lastSceneClock_ < options_.sceneInterval)) return;
  lastSceneClock_ = clock;
  scenes_.emplace_back(tracks.begin(), tracks.end());
  if (scenes_.size() > options_.scenes) scenes_.pop_front();
}

void Stitcher::remember(const EndedTrack& track) {
  Lost lost{track.last, track.clock, track.restlessness, {}};
  lost.seen.push_back(nearestOf(track.last, track.companions, options_.companions));
  for (auto scene = scenes_.rbegin(); scene != scenes_.rend(); ++scene) {
    const auto own = std::find_if(scene->begin(), scene->end(), [&](const TrackPlace& place) {
      return place.id == track.last.id;
    });
    if (own != scene->end()) lost.seen.push_back(nearestOf(*own, *scene, options_.companions));
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
  // Tracks that were joined become companions of those that are still lost, so this is repeated
  // until nothing changes.
  while (!ended_.empty() && joinClear(found, ids, frame)) {
  }
  return ids;
}

// Joins every pair that is clearly the most likely one. Returns false if there was none.
bool Stitcher::joinClear(std::span<const NewTrack> found, std::vector<TrackId>& ids, Frame& frame) {
  const size_t width = ended_.size();
  std::vector<double> likely(found.size() * width, 0);
  std::vector<double> byFound(found.size(), 0), byEnded(width, 0);
  std::vector<double> odds(width);
  for (size_t e = 0; e < width; ++e) {
    // Made only if needed, because it takes long.
    std::optional<Guess> guess;
    for (size_t f = 0; f < found.size(); ++f) {
      if (ids[f] != TrackId() || !isWithinReach(ended_[e], found[f], frame)) continue;
      if (!guess) guess = predict(ended_[e], frame);
      odds[e] = guess->freedom > 0 ? options_.odds : options_.oddsOfMotion;
      const double density = guess->density(found[f].now.x, found[f].now.y);
      likely[f * width + e] = density;
      byFound[f] += density;
      byEnded[e] += density;
    }
  }
  std::vector<TrackPlace> joined;
  for (size_t f = 0; f < found.size(); ++f) {
    if (byFound[f] == 0) continue;
    const double unseen = options_.unseenShare * densityAround(found, f, frame.tracks, options_);
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

// Predicts the place of a lost track from the frame of its last measurement.
Guess Stitcher::predictFromLastFrame(const Lost& lost, const Frame& frame) const {
  const TrackPlace& from = lost.last;
  const double span = frame.now - lost.clock;
  const Common last = common(lost.seen.front(), frame.tracks);
  const double minSigma = std::max(options_.minSigma * lost.restlessness, options_.minSigmaAtRest);
  if (last.then.size() < options_.minCompanions) {
    // Without companions, the marker can be anywhere that its velocity, or a change of it, could
    // take it.
    const double change = lost.restlessness * settings_.acceleration / 2 / frame.interval;
    const double speed = std::hypot(from.vx, from.vy) + change;
    const double reach = std::max(speed * span / 2, options_.minSigma);
    return {from.x, from.y, reach * reach, 0, reach * reach};
  }
  const Guess straight = straightOn(last, span, minSigma, options_.byCompanions);
  const Guess together = displaced(last, minSigma, options_.byCompanions);
  return straight.determinant() < together.determinant() ? straight : together;
}

// Predicts the place of a lost track under all assumptions, and returns the most precise
// prediction.
Guess Stitcher::predict(const Lost& lost, const Frame& frame) const {
  Guess best = predictFromLastFrame(lost, frame);
  double smallest = best.determinant() / options_.minGain;
  const auto consider = [&](const Guess& guess) {
    if (guess.determinant() >= smallest) return;
    smallest = guess.determinant();
    best = guess;
  };
  // The scenes, each with the determinant of the covariance of its own map.
  std::vector<std::pair<double, const Constellation*>> views;
  for (const Constellation& seen : lost.seen) {
    const Common both = common(seen, frame.tracks);
    if (both.then.size() < options_.minMappedCompanions) continue;
    const Guess guess = mapped(both, options_.byCompanions);
    consider(guess);
    views.emplace_back(guess.determinant(), &seen);
  }
  std::stable_sort(views.begin(), views.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t one = 0; one < std::min(options_.firstViews, views.size()); ++one)
    for (size_t two = one + 1; two < views.size(); ++two)
      if (const auto guess = combined(*views[one].second, *views[two].second, frame.tracks,
                                      options_.minMappedCompanions, options_.byTwoViews))
        consider(*guess);
  return best;
}

}  // namespace glint::motion
