#include "app/track/tracker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "app/track/assignment.h"
#include "app/track/jumps.h"
#include "app/track/merged.h"
#include "app/track/place_grid.h"
#include "config/error.h"

namespace glint {
namespace {

// -log(probability that a track ends * new markers per marker): 1 % and 2 %.
constexpr double kUnrelated = 8.5;
// Markers around a new one that tell where and how fast others may begin.
constexpr size_t kNeighbours = 8;
// px: density is not taken from less; px/frame: markers around may move alike by chance.
constexpr double kLeastRadius = 5;
constexpr double kLeastSpeed = 1;
// px/frame, what a velocity is known to: markers that rest do not do so by chance.
constexpr double kSpeedNoise = 0.2;
// px^2 per marker where there is no other.
constexpr double kEmptyArea = 3e4;
// That make a lost track worth being joined with a later one: clutter has fewer.
constexpr int kLeastMeasurements = 5;
// A marker jumps no farther than so many times track.max_speed, or the farthest jump lately; one
// that was seen once may be on its way.
constexpr double kJumpOfSpeed = 3;
constexpr double kFirstStepOfSpeed = 10;
constexpr double kJumpAgain = 1.5;
// Frames that a marker which jumps may have been missed in before.
constexpr size_t kJumpGap = 2;
// px: the fit of a faint hot pixel is no larger.
constexpr double kHotPixelMost = 1.2;
// px: a marker is where it was in the frame before, which is shown again.
constexpr double kSamePlace = 0.1;

// Of the longer of two steps running: among others, more differ by chance.
constexpr double kAlikeAmongOthers = 0.3;
// More new markers a frame are noise.
constexpr size_t kMostFlashes = 64;

PlaceGrid gridOf(std::span<const Observation> seen) {
  std::vector<GridPlace> places;
  for (const Observation& o : seen) places.push_back({o.x, o.y});
  return PlaceGrid(places);
}

// The usable observations, brightest first, so that ids and ties do not depend on the given order.
std::vector<Observation> inOrder(std::span<const Observation> observations) {
  std::vector<Observation> seen;
  for (const Observation& o : observations)
    if (std::isfinite(o.x) && std::isfinite(o.y)) seen.push_back(o);
  const auto key = [](const Observation& o) {
    return std::array{-o.mass, o.y, o.x, o.radius, o.sigmaX, o.sigmaY, o.peak, o.eccentricity};
  };
  // A total order even where a value is not a number.
  const auto less = [](double a, double b) { return std::is_lt(std::strong_order(a, b)); };
  std::sort(seen.begin(), seen.end(), [&](const Observation& a, const Observation& b) {
    const auto l = key(a), r = key(b);
    return std::lexicographical_compare(l.begin(), l.end(), r.begin(), r.end(), less);
  });
  return seen;
}

}  // namespace

void Untracked::add(const Untracked& other) {
  observations += other.observations;
  ofHotPixels += other.ofHotPixels;
  flashes += other.flashes;
  steps += other.steps;
  farthest = std::max(farthest, other.farthest);
}

Tracker::Tracker(const Settings::Track& settings, std::shared_ptr<TrackIds> ids)
    : settings_(settings), ids_(std::move(ids)), stitcher_(settings) {}

void Tracker::apply(const Settings::Track& settings) {
  settings_ = settings;
  stitcher_.apply(settings);
}

void Tracker::update(const FrameTime& at, std::span<const Observation> observations,
                     std::span<const Foretold> foretold) {
  if (started_ && at.frame <= now_.frame)
    throw Error(
        fmt::format("The tracker was given frame {} after frame {}: frames must go forward.",
                    at.frame, now_.frame));
  const double step = clock_.advance(at.frame, at.time);
  now_ = {at, clock_.now()};
  frames_.add(now_);
  started_ = true;

  for (const Foretold& place : foretold)
    if (Track* track = lostTrack(place.track)) track->hold(now_);
  forget();
  const auto before = std::make_shared<const std::vector<TrackPlace>>(measuredPlaces());
  if (settings_.stitchGap > 0) stitcher_.watch(*before, now_.clock);
  usual_ = usualMotion(tracks_);
  for (Track& track : tracks_) track.predict(step, scale());
  for (const Foretold& place : foretold)
    if (Track* track = lostTrack(place.track)) track->expect(place);
  const std::vector<Observation> seen = inOrder(observations);
  if (motion_.repeats(seen))
    repeat(seen);
  else
    take(seen, before);
  confirm();
  forgetFrames();
}

// The track of this id, if it was not measured in the frame before.
Track* Tracker::lostTrack(TrackId id) {
  const auto track = std::find_if(tracks_.begin(), tracks_.end(), [&](const Track& one) {
    return one.confirmed() && one.id == id && one.missed > 0;
  });
  return track == tracks_.end() ? nullptr : &*track;
}

// Gives every track its observation, and begins tracks with the others.
void Tracker::take(std::span<const Observation> seen, const TracksThen& before) {
  std::vector<int> matches = match(seen);
  std::vector<bool> jumped(tracks_.size(), false), used(seen.size(), false);
  for (const size_t t : joinLost(seen, matches)) jumped[t] = true;
  const std::vector<std::optional<Share>> shares =
      shareMerged(tracks_, ableToShare(jumped), seen, matches, used);
  std::vector<double> steps, jumps;
  std::vector<Flash> flashes;
  for (size_t t = 0; t < matches.size(); ++t) {
    Track& track = tracks_[t];
    if (matches[t] < 0) {
      if (shares[t]) track.learn(*shares[t]);
      if (track.measurements == 1 && track.missed == 0)
        flashes.push_back({track.last.row.x, track.last.row.y, track.arrival});
      track.miss(before, scale());
      continue;
    }
    const Observation& own = seen[static_cast<size_t>(matches[t])];
    used[static_cast<size_t>(matches[t])] = true;
    const double step = std::hypot(own.x - track.last.row.x, own.y - track.last.row.y);
    if (track.missed == 0) (jumped[t] ? jumps : steps).push_back(step);
    if (shares[t])
      keepOf(track, track.measureShared(now_, own, *shares[t], frames_, scale()));
    else
      keepOf(track, jumped[t] ? track.jump(now_, own, frames_, scale())
                              : track.measure(now_, own, frames_, scale()));
  }
  const size_t known = tracks_.size();
  for (size_t o = 0; o < seen.size(); ++o)
    if (!used[o]) tracks_.emplace_back(now_, seen[o]);
  const std::span strangers = std::span(tracks_).subspan(known);
  addFreeSteps(flashes, strangers);
  motion_.learn(steps, jumps, strangers.size(), flashes.size());
}

// Two steps running that are alike are of one marker; a single one may lie between any two stray
// lights. A flash and a stranger belong together where each is the nearest to the other, as far as
// the flash's own step before tells where that should be.
void Tracker::addFreeSteps(std::span<const Flash> flashes, std::span<Track> strangers) {
  if (flashes.empty() || strangers.empty() || flashes.size() > kMostFlashes ||
      strangers.size() > kMostFlashes)
    return;
  const auto apart = [&](size_t f, size_t s) {
    const Flash& flash = flashes[f];
    const TrackStep before = flash.arrival.value_or(TrackStep());
    const TrackRow& row = strangers[s].last.row;
    return std::hypot(row.x - flash.x - before.x, row.y - flash.y - before.y);
  };
  const bool alone = flashes.size() == 1 && strangers.size() == 1;
  const double alike = alone ? 1 : kAlikeAmongOthers;
  for (size_t s = 0; s < strangers.size(); ++s) {
    const auto all = std::views::iota(size_t{0}, flashes.size());
    const size_t f = *std::ranges::min_element(all, {}, [&](size_t i) { return apart(i, s); });
    const auto others = std::views::iota(size_t{0}, strangers.size());
    if (*std::ranges::min_element(others, {}, [&](size_t i) { return apart(f, i); }) != s) continue;
    const Flash& flash = flashes[f];
    TrackStep own{strangers[s].last.row.x - flash.x, strangers[s].last.row.y - flash.y};
    if (flash.arrival) {
      const double longer =
          std::max(std::hypot(own.x, own.y), std::hypot(flash.arrival->x, flash.arrival->y));
      own.counted = apart(f, s) <= alike * longer;
      if (own.counted)
        untracked_.add({.steps = flash.arrival->counted ? 1U : 2U, .farthest = longer});
    }
    strangers[s].arrival = own;
  }
}

// The tracks that may be part of an observation of two markers.
std::vector<bool> Tracker::ableToShare(const std::vector<bool>& jumped) const {
  std::vector<bool> able(tracks_.size());
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    able[t] = track.confirmed() && !jumped[t] &&
              !track.isOver(track.framesSince(now_, scale()) - 1, 0, scale());
  }
  return able;
}

// The frame shows the last one again: the tracks measured there are where they were.
void Tracker::repeat(std::span<const Observation> seen) {
  ++repeats_;
  const PlaceGrid grid = gridOf(seen);
  std::vector<AllowedPair> pairs;
  for (size_t t = 0; t < tracks_.size(); ++t) {
    if (tracks_[t].missed > 0) continue;
    const TrackRow& row = tracks_[t].last.row;
    grid.around({row.x, row.y}, kSamePlace, kSamePlace, [&](size_t o) {
      const double away = std::max(std::abs(seen[o].x - row.x), std::abs(seen[o].y - row.y));
      if (away < kSamePlace)
        pairs.push_back({static_cast<int>(t), static_cast<int>(o), away - kSamePlace});
    });
  }
  const std::vector<int> matches =
      assign(static_cast<int>(tracks_.size()), static_cast<int>(seen.size()), pairs);
  for (size_t t = 0; t < tracks_.size(); ++t) {
    if (matches[t] < 0)
      ++tracks_[t].missed, ++tracks_[t].unheld;
    else
      keepOf(tracks_[t], {tracks_[t].repeat(now_, seen[static_cast<size_t>(matches[t])])});
  }
}

// Joins tracks with observations beyond their gates, where it is clear. Returns those tracks.
std::vector<size_t> Tracker::joinLost(std::span<const Observation> seen,
                                      std::vector<int>& matches) const {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  std::vector<Anchor> anchors;
  for (const Track& track : tracks_) {
    const TrackRow& row = track.last.row;
    const bool over = track.isOver(track.framesSince(now_, scale()) - 1, 0, scale());
    anchors.push_back(over ? Anchor{kNowhere, kNowhere, kNowhere, kNowhere}
                           : Anchor{row.x, row.y, track.x.position(), track.y.position(),
                                    track.missed == 0, track.missed <= kJumpGap, track.confirmed(),
                                    track.measurements > 1});
  }
  const JumpLimits limits{
      .farthest = std::max(kJumpOfSpeed * settings_.maxSpeed, kJumpAgain * motion_.farthestJump()),
      .firstStep = kFirstStepOfSpeed * settings_.maxSpeed,
      .jumps = motion_.jumps(),
      .sightings = motion_.sightings(),
      .strangers = motion_.strangers(),
      .area = motion_.area()};
  std::vector<size_t> joined = joinCommonJump(anchors, seen, limits, matches);
  const std::vector<size_t> alone = joinJumps(anchors, seen, limits, matches);
  joined.insert(joined.end(), alone.begin(), alone.end());
  return joined;
}

// Keeps the rows of a track that has earned its id; otherwise they wait.
void Tracker::keepOf(Track& track, const std::vector<TrackPoint>& points) {
  if (track.confirmed())
    keep(points);
  else
    track.early.insert(track.early.end(), points.begin(), points.end());
  if (!isKnownHotPixel(track)) return;
  // It may wait for ever: should it be a marker after all, that begins not long before it moves.
  const auto most = static_cast<size_t>(settings_.confirm);
  const auto isFirst = [](const TrackPoint& p) { return p.row.state == TrackState::measured; };
  if (track.early.size() > most)
    track.early.erase(track.early.begin(), std::find_if(track.early.end() - settings_.confirm,
                                                        track.early.end(), isFirst));
}

bool Tracker::isHotPixel(const Track& track) const {
  return !track.confirmed() && settings_.confirm > 1 &&
         track.isHotPixel(hotPixels_.at(track.beganX(), track.beganY()));
}

// One measurement tells nothing about motion.
bool Tracker::isKnownHotPixel(const Track& track) const {
  return isHotPixel(track) && track.measurements > 1;
}

// What is there is not some other light that comes by.
bool Tracker::isOfHotPixel(const Observation& seen) const {
  return settings_.confirm > 1 && seen.radius > 0 && seen.radius < kHotPixelMost &&
         hotPixels_.isHot(seen.x, seen.y, motion_.area());
}

// Drops the tracks that could not even be measured in the present frame any more. A lost one is
// kept for longer than it coasts, because what it is found as must be confirmed first, which may
// take a missed frame more.
void Tracker::forget() {
  std::erase_if(tracks_, [this](Track& track) {
    const int extra = track.confirmed() ? settings_.confirm : 0;
    if (!track.isOver(track.framesSince(now_, scale()) - 1, extra, scale())) return false;
    leave(track);
    if (track.confirmed() && track.measurements >= kLeastMeasurements && settings_.stitchGap > 0)
      stitcher_.remember(
          {track.place(), track.last.clock, track.companionsThen(), track.restlessness()});
    return true;
  });
}

// A track that ends: what is in no track is told.
void Tracker::leave(const Track& track) {
  if (track.confirmed()) return;
  const auto seen = static_cast<uint64_t>(track.measurements + track.repeats);
  if (!isHotPixel(track)) {
    untracked_.observations += seen;
    return;
  }
  if (track.measurements >= settings_.confirm) {
    untracked_.ofHotPixels += seen;
    return;
  }
  untracked_.observations += seen;
  untracked_.flashes += seen;
  const uint64_t hot = hotPixels_.add(
      track.beganX(), track.beganY(),
      {seen, track.sightings().meanRadius() * static_cast<double>(seen)}, motion_.area());
  untracked_.ofHotPixels += hot;
  untracked_.observations -= hot;
  untracked_.flashes -= hot;
}

// The confirmed tracks that were measured in the last frame.
std::vector<TrackPlace> Tracker::measuredPlaces() const {
  std::vector<TrackPlace> places;
  for (const Track& track : tracks_)
    if (track.confirmed() && track.missed == 0) places.push_back(track.place());
  return places;
}

// The observation of each track, or -1.
std::vector<int> Tracker::match(std::span<const Observation> seen) const {
  double most = measurementVariance(0);
  for (const Observation& o : seen)
    most = std::max({most, measurementVariance(o.sigmaX), measurementVariance(o.sigmaY)});
  std::vector<bool> hot;
  for (const Observation& o : seen) hot.push_back(isOfHotPixel(o));
  const PlaceGrid grid = gridOf(seen);
  std::vector<AllowedPair> pairs;
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    if (track.isOver(track.framesSince(now_, scale()) - 1, 0, scale())) continue;
    const Reach reach = track.reach(most, scale());
    grid.around({track.x.position(), track.y.position()}, reach.x, reach.y, [&](size_t o) {
      if (hot[o] && !track.confirmed() && !track.isAtFirstPlace(seen[o].x, seen[o].y)) return;
      if (const auto cost = track.matchCost(seen[o], now_.clock, scale()))
        pairs.push_back({static_cast<int>(t), static_cast<int>(o), *cost});
    });
  }
  return assign(static_cast<int>(tracks_.size()), static_cast<int>(seen.size()), pairs);
}

// Gives an id to each track that has earned one: a new id, or that of a lost track it continues.
void Tracker::confirm() {
  std::vector<size_t> found, lost;
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    if (track.confirmed() && track.missed > 0)
      lost.push_back(t);
    else if (!track.confirmed() && track.missed == 0 && track.measurements >= settings_.confirm &&
             !isKnownHotPixel(track))
      found.push_back(t);
  }
  if (found.empty()) return;
  const std::vector<int> adopter = adoptions(lost, found);
  std::vector<bool> adopted(tracks_.size(), false);
  std::vector<size_t> fresh;
  for (size_t f = 0; f < found.size(); ++f) {
    if (adopter[f] < 0) {
      fresh.push_back(found[f]);
      continue;
    }
    const size_t l = lost[static_cast<size_t>(adopter[f])];
    adopted[l] = true;
    promote(tracks_[found[f]], &tracks_[l], tracks_[l].id);
  }
  const std::vector<TrackId> earlier = stitch(fresh);
  for (size_t f = 0; f < fresh.size(); ++f)
    promote(tracks_[fresh[f]], nullptr, earlier[f] != TrackId() ? earlier[f] : ids_->next());
  std::vector<Track> kept;
  for (size_t t = 0; t < tracks_.size(); ++t)
    if (!adopted[t]) kept.push_back(std::move(tracks_[t]));
  std::stable_sort(kept.begin(), kept.end(), [](const Track& a, const Track& b) {
    return a.id - 1 < b.id - 1;  // id 0 wraps round to the end
  });
  tracks_ = std::move(kept);
}

// The place in `lost` of the track that each found one continues, or -1.
std::vector<int> Tracker::adoptions(std::span<const size_t> lost,
                                    std::span<const size_t> found) const {
  std::vector<AllowedPair> pairs;
  for (size_t f = 0; f < found.size() && !lost.empty(); ++f) {
    const Track& track = tracks_[found[f]];
    const double other = unrelated(track);
    for (size_t l = 0; l < lost.size(); ++l)
      if (const auto cost = tracks_[lost[l]].adoptionCost(track, other, scale()))
        pairs.push_back({static_cast<int>(f), static_cast<int>(l), *cost});
  }
  return assign(static_cast<int>(found.size()), static_cast<int>(lost.size()), pairs);
}

// Other markers begin where markers are, moving as those do: on a body one that was hidden is near
// many, and moves like them. The density at the found track's place is that of its nearest
// neighbours, the spread of velocities theirs around its own.
double Tracker::unrelated(const Track& found) const {
  std::vector<std::pair<double, double>> near;  // squared distances: px^2, (px/s)^2
  const TrackRow& at = found.last.row;
  for (const Track& track : tracks_) {
    if (!track.confirmed() || track.missed > 0) continue;
    const TrackRow& row = track.last.row;
    const double dx = row.x - at.x, dy = row.y - at.y, dvx = row.vx - at.vx, dvy = row.vy - at.vy;
    near.emplace_back(dx * dx + dy * dy, dvx * dvx + dvy * dvy);
  }
  double area = kEmptyArea, speed2 = settings_.maxSpeed * settings_.maxSpeed;
  const size_t count = std::min(kNeighbours, near.size());
  if (count > 0) {
    const auto end = near.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(near.begin(), end, near.end());
    const double radius2 = std::max(near[count - 1].first, kLeastRadius * kLeastRadius);
    area = std::min(area, std::numbers::pi * radius2 / static_cast<double>(count));
    double sum = 0;
    for (size_t n = 0; n < count; ++n) sum += near[n].second;
    const double perAxis =
        sum * clock_.interval() * clock_.interval() / (2.0 * static_cast<double>(count));
    const double own = std::hypot(at.vx, at.vy) * clock_.interval() + kSpeedNoise;
    speed2 = std::min(speed2, perAxis + std::pow(std::min(own, kLeastSpeed), 2));
  }
  return kUnrelated + std::log(area) + std::log(2 * std::numbers::pi * speed2);
}

// The ids of ended tracks that new ones take over, or 0.
std::vector<TrackId> Tracker::stitch(const std::vector<size_t>& found) {
  std::vector<NewTrack> tracks;
  for (const size_t f : found)
    tracks.push_back({tracks_[f].place(), tracks_[f].early.front().clock});
  return stitcher_.join(tracks, measuredPlaces(), now_.clock, clock_.interval());
}

void Tracker::promote(Track& track, const Track* lost, TrackId id) {
  track.id = id;
  for (TrackPoint& point : track.early) point.row.track = track.id;
  track.last.row.track = track.id;
  if (lost) {
    keep(lost->bridge(track.early.front(), frames_, scale()));
    track.goOn(*lost, scale());
  }
  keep(track.early);
  track.early.clear();
}

void Tracker::keep(const std::vector<TrackPoint>& points) {
  for (const TrackPoint& point : points) {
    std::vector<TrackRow>& rows = rows_[point.row.frame];
    const auto place =
        std::upper_bound(rows.begin(), rows.end(), point.row,
                         [](const TrackRow& a, const TrackRow& b) { return a.track < b.track; });
    rows.insert(place, point.row);  // mostly the end
  }
}

std::vector<TrackRow> Tracker::live() const {
  std::vector<TrackRow> rows;
  for (const Track& track : tracks_) {
    if (!track.confirmed() || track.isOver(track.framesSince(now_, scale()), 0, scale())) continue;
    rows.push_back(track.missed == 0 ? track.last.row : track.predictedRow(now_));
  }
  return rows;
}

std::vector<TrackRow> Tracker::tentative() const {
  std::vector<TrackRow> rows;
  for (const Track& track : tracks_)
    if (!track.confirmed() && track.missed == 0 && track.measurements > 1)
      rows.push_back(track.last.row);
  return rows;
}

std::vector<Prediction> Tracker::predictions() const {
  std::vector<Prediction> next;
  for (Track track : tracks_) {
    if (!track.confirmed() || track.isOver(track.framesSince(now_, scale()), 0, scale())) continue;
    track.predict(clock_.interval(), scale());
    next.push_back({track.id, track.x.position(), track.y.position(),
                    settings_.gate * std::sqrt(track.spread())});
  }
  return next;
}

// Whether the gap of a track that is held has become so long that no row of it will come.
bool Tracker::isWithoutRows(const Track& track) const {
  return track.confirmed() && track.isLongGap(now_, settings_.confirm, scale());
}

// Of no use any more are the frames before the gaps of all tracks, and before rows that wait.
void Tracker::forgetFrames() {
  FrameNumber first = heldFrom();
  for (const Track& track : tracks_)
    if (!isWithoutRows(track)) first = std::min(first, track.last.row.frame);
  frames_.forgetBefore(first);
}

// The first frame whose rows may wait.
FrameNumber Tracker::heldFrom() const {
  return frames_.firstWithin(kMostHeldFrames, kMostHeldSeconds);
}

// The first frame that a track at hand may still add rows to.
FrameNumber Tracker::horizon() const {
  FrameNumber first = FrameNumber::most();
  for (const Track& track : tracks_) {
    if (isWithoutRows(track)) continue;
    first = std::min(first,
                     track.confirmed() ? track.last.row.frame + 1 : track.early.front().row.frame);
  }
  return first;
}

std::vector<TrackRow> Tracker::takeFinalised() {
  std::vector<TrackRow> rows;
  const auto end = rows_.lower_bound(std::max(horizon(), heldFrom()));
  for (auto frame = rows_.begin(); frame != end; frame = rows_.erase(frame))
    rows.insert(rows.end(), frame->second.begin(), frame->second.end());
  return rows;
}

void Tracker::finish() {
  for (const Track& track : tracks_) leave(track);
  tracks_.clear();
}

}  // namespace glint
