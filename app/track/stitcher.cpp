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
// Rows that make a track worth remembering: clutter has fewer.
constexpr uint64_t kLeastRows = 5;
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

struct ById {
  bool operator()(const TrackRow& row, uint64_t id) const { return row.track < id; }
  bool operator()(uint64_t id, const TrackRow& row) const { return id < row.track; }
  bool operator()(const TrackRow& a, const TrackRow& b) const { return a.track < b.track; }
};

// Of markers around `at`, per px^2.
double densityAround(const TrackRow& at, std::span<const TrackRow> rows) {
  std::vector<double> distances;  // squared
  for (const TrackRow& row : rows)
    if (row.track != at.track) distances.push_back(square(row.x - at.x, row.y - at.y));
  const size_t count = std::min(kNeighbours, distances.size());
  if (count == 0) return kEmptyDensity;
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(distances.begin(), last, distances.end());
  const double area = std::numbers::pi * std::max(*last, kLeastRadius * kLeastRadius);
  return std::max(kEmptyDensity, static_cast<double>(count) / area);
}

}  // namespace

Stitcher::Stitcher(const Settings::Track& settings, std::shared_ptr<TrackIds> ids)
    : settings_(settings), ids_(std::move(ids)) {}

void Stitcher::giveIds(std::span<TrackRow> settled) {
  while (!settled.empty()) {
    const auto end = std::find_if(settled.begin(), settled.end(), [&](const TrackRow& row) {
      return row.frame != settled.front().frame;
    });
    const auto rows = settled.first(static_cast<size_t>(end - settled.begin()));
    settled = settled.subspan(rows.size());
    clock_.advance(rows.front().frame, rows.front().time);
    endTracks(rows);
    nameNew(rows);
    lastClock_ = clock_.now();
    for (TrackRow& row : rows) {
      Named& track = named_.at(row.track);
      ++track.rows;
      row.track = track.id;
      track.last = row;
    }
    if (!std::is_sorted(rows.begin(), rows.end(), ById()))
      std::sort(rows.begin(), rows.end(), ById());
  }
}

std::vector<TrackRow> Stitcher::known(std::span<const TrackRow> rows) const {
  std::vector<TrackRow> result;
  for (const TrackRow& row : rows) {
    const auto track = named_.find(row.track);
    if (track == named_.end()) continue;
    result.push_back(row);
    result.back().track = track->second.id;
  }
  std::sort(result.begin(), result.end(), ById());
  return result;
}

// Tracks without a row in this frame have ended with the frame before.
void Stitcher::endTracks(std::span<const TrackRow> rows) {
  std::vector<uint64_t> missing;
  for (const auto& [track, named] : named_) {
    if (std::binary_search(rows.begin(), rows.end(), track, ById())) continue;
    missing.push_back(track);
    if (named.rows >= kLeastRows) remember(named);
  }
  for (const uint64_t track : missing) named_.erase(track);
  while (!ended_.empty() && clock_.now() - ended_.front().clock > settings_.stitchGap)
    ended_.pop_front();
}

void Stitcher::remember(const Named& track) {
  const auto placeOf = [](const TrackRow& row) {
    return Place{row.track, row.x, row.y, row.vx, row.vy};
  };
  Ended ended{placeOf(track.last), lastClock_, {}};
  for (const auto& [own, other] : named_)
    if (other.id != track.id) ended.companions.push_back(placeOf(other.last));
  const auto nearer = [&](const Place& a, const Place& b) {
    return square(a.x - ended.last.x, a.y - ended.last.y) <
           square(b.x - ended.last.x, b.y - ended.last.y);
  };
  std::stable_sort(ended.companions.begin(), ended.companions.end(), nearer);
  if (ended.companions.size() > kCompanions) ended.companions.resize(kCompanions);
  ended_.push_back(std::move(ended));
}

void Stitcher::nameNew(std::span<const TrackRow> rows) {
  std::vector<const TrackRow*> found;
  for (const TrackRow& row : rows)
    if (!named_.contains(row.track)) found.push_back(&row);
  // What was joined tells where others are to be expected.
  while (!found.empty() && joinClear(found, rows)) {
  }
  for (const TrackRow* row : found) name(*row, ids_->next());
}

// Joins every pair that is clear, and takes it out of `found`. False if there was none.
bool Stitcher::joinClear(std::vector<const TrackRow*>& found, std::span<const TrackRow> rows) {
  const size_t width = ended_.size();
  std::vector<double> likely, byFound(found.size(), 0), byEnded(width, 0);
  std::vector<Guess> guesses;
  for (const Ended& ended : ended_) guesses.push_back(expect(ended, rows));
  for (size_t f = 0; f < found.size(); ++f)
    for (size_t e = 0; e < width; ++e) {
      likely.push_back(likelihood(ended_[e], guesses[e], *found[f]));
      byFound[f] += likely.back();
      byEnded[e] += likely.back();
    }
  std::vector<const TrackRow*> left;
  std::vector<uint64_t> taken;
  for (size_t f = 0; f < found.size(); ++f) {
    const double unseen = kUnseen * densityAround(*found[f], rows);
    size_t best = width;
    for (size_t e = 0; e < width; ++e) {
      const double own = likely[f * width + e];
      if (own > kOdds * (byFound[f] - own + unseen) && own > kOdds * (byEnded[e] - own + unseen))
        best = e;
    }
    if (best == width) {
      left.push_back(found[f]);
      continue;
    }
    name(*found[f], ended_[best].last.id);
    taken.push_back(ended_[best].last.id);
    ++stitches_;
  }
  std::erase_if(ended_, [&](const Ended& ended) {
    return std::find(taken.begin(), taken.end(), ended.last.id) != taken.end();
  });
  found = std::move(left);
  return !taken.empty();
}

// The density of the ended track's place now, px^-2, where `found` is.
double Stitcher::likelihood(const Ended& lost, const Guess& guess, const TrackRow& found) const {
  const double frames = (clock_.now() - lost.clock) / clock_.interval();
  const double moved = std::hypot(found.x - lost.last.x, found.y - lost.last.y);
  if (moved > settings_.maxSpeed * frames) return 0;
  const double d2 = square(found.x - guess.x, found.y - guess.y) / guess.variance;
  return std::exp(-d2 / 2) / (2 * std::numbers::pi * guess.variance);
}

// Two guesses: it kept its velocity, or it was displaced as its companions were, the near ones
// above all. The companions tell which is better, and how good: by their own distances from what
// the same guess, made without them, would have been.
Stitcher::Guess Stitcher::expect(const Ended& lost, std::span<const TrackRow> rows) const {
  struct Companion {
    double weight, dx, dy, strayX, strayY;
  };
  const Place& from = lost.last;
  const double span = clock_.now() - lost.clock;
  std::vector<Companion> seen;
  double weights = 0;
  for (const TrackRow& row : rows) {
    const auto track = named_.find(row.track);
    if (track == named_.end()) continue;
    const auto then =
        std::find_if(lost.companions.begin(), lost.companions.end(),
                     [&](const Place& place) { return place.id == track->second.id; });
    if (then == lost.companions.end()) continue;
    const double weight = 1 / (square(then->x - from.x, then->y - from.y) + kNear * kNear);
    const double dx = row.x - then->x, dy = row.y - then->y;
    seen.push_back({weight, dx, dy, dx - then->vx * span, dy - then->vy * span});
    weights += weight;
  }
  if (seen.size() < 3) {  // alone: anywhere that its speed, or a change of it, could take it
    const double speed =
        std::hypot(from.vx, from.vy) + settings_.acceleration / 2 / clock_.interval();
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
  const double few =
      1 + 2 * squares;  // 1 / squares companions in effect: their spread is uncertain
  const double least = kLeastSigma * kLeastSigma;
  if (straight < together)
    return {from.x + from.vx * span, from.y + from.vy * span, std::max(few * straight, least)};
  return {from.x + meanX, from.y + meanY, std::max(few * together, least)};
}

}  // namespace glint
