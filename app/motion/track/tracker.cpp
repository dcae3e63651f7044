#include "app/motion/track/tracker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/track/adoption.h"
#include "app/motion/track/assignment.h"
#include "app/motion/track/free_steps.h"
#include "app/motion/track/jumps.h"
#include "app/motion/track/merged.h"
#include "app/motion/track/place_grid.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Returns the usual motion of the confirmed tracks that were measured in the last frame. Tracks
// count as soon as it is known if they are at rest.
UsualMotion usualMotionOf(std::span<const Track> tracks, const MotionOptions& options) {
  double known = options.priorMarkers, moving = options.priorMoving;
  std::vector<double> vx, vy;
  for (const Track& track : tracks) {
    const std::optional<bool> rests = track.rests(options);
    if (!track.confirmed() || track.missed > 0 || !rests) continue;
    ++known;
    moving += *rests ? 0 : 1;
    vx.push_back(track.motion.x().velocity());
    vy.push_back(track.motion.y().velocity());
  }
  return {moving / known, base::medianOf(vx), base::medianOf(vy)};
}

PlaceGrid gridOf(std::span<const Observation> seen) {
  std::vector<GridPlace> places;
  for (const Observation& o : seen) places.push_back({o.x, o.y});
  return PlaceGrid(places);
}

// Returns the usable observations, brightest first, so that ids and ties do not depend on the order
// of the input.
std::vector<Observation> inOrder(std::span<const Observation> observations) {
  std::vector<Observation> seen;
  for (const Observation& o : observations)
    if (std::isfinite(o.x) && std::isfinite(o.y)) seen.push_back(o);
  const auto key = [](const Observation& o) {
    return std::array{-o.mass, o.y, o.x, o.radius, o.sigmaX, o.sigmaY, o.peak, o.eccentricity};
  };
  // This order is total even if a value is NaN.
  const auto less = [](double a, double b) { return std::is_lt(std::strong_order(a, b)); };
  std::sort(seen.begin(), seen.end(), [&](const Observation& a, const Observation& b) {
    const auto l = key(a), r = key(b);
    return std::lexicographical_compare(l.begin(), l.end(), r.begin(), r.end(), less);
  });
  return seen;
}

}  // namespace

Tracker::Tracker(const Settings::Track& settings, std::shared_ptr<TrackIds> ids,
                 const TrackerOptions& options)
    : settings_(settings),
      options_(options),
      ids_(std::move(ids)),
      stitcher_(settings, options.stitching),
      repeatedFrames_(options.repeats),
      scene_(options.scene),
      hotPixels_(options.hotPixels) {}

void Tracker::apply(const Settings::Track& settings) {
  settings_ = settings;
  stitcher_.apply(settings);
}

void Tracker::update(const FrameTime& at, std::span<const Observation> observations,
                     std::span<const PredictedPlace> predictedPlaces) {
  const bool isFirst = frames_.size() == 0;
  if (!isFirst && at.frame <= now_.frame)
    throw Error(fmt::format("The tracker was given frame {} after frame {}: frames must go forward",
                            at.frame, now_.frame));
  const double step = clock_.advance(at.frame, at.time);
  now_ = {at, clock_.now()};
  frames_.add(now_);

  for (const PredictedPlace& place : predictedPlaces)
    if (Track* track = lostTrack(place.track)) track->hold(context());
  endTracks();
  const auto before = std::make_shared<const std::vector<TrackPlace>>(measuredPlaces());
  if (settings_.stitchGap > 0) stitcher_.watch(*before, now_.clock);
  usual_ = usualMotionOf(tracks_, options_.motion);
  for (Track& track : tracks_) track.predict(step, context());
  for (const PredictedPlace& place : predictedPlaces)
    if (Track* track = lostTrack(place.track)) track->motion.expect(place);
  const std::vector<Observation> seen = inOrder(observations);
  scene_.widen(seen);
  if (repeatedFrames_.repeats(seen))
    repeat(seen);
  else
    take(seen, before);
  confirm();
  forgetFrames();
}

// Returns the track with this id if it was not measured in the last frame, otherwise null.
Track* Tracker::lostTrack(TrackId id) {
  const auto track = std::find_if(tracks_.begin(), tracks_.end(), [&](const Track& one) {
    return one.confirmed() && one.id == id && one.missed > 0;
  });
  return track == tracks_.end() ? nullptr : &*track;
}

// Assigns an observation to every track that has one, and begins tracks with the others.
void Tracker::take(std::span<const Observation> seen, const TracksOfFrame& before) {
  std::vector<int> matches = match(seen);
  std::vector<bool> jumped(tracks_.size(), false), used(seen.size(), false);
  for (const size_t t : joinLost(seen, matches)) jumped[t] = true;
  const std::vector<std::optional<Share>> shares =
      shareMerged(tracks_, ableToShare(jumped), seen, matches, used, options_);
  // Distances since the last frame, px.
  std::vector<double> steps, jumps;
  std::vector<Flash> flashes;
  for (size_t t = 0; t < matches.size(); ++t) {
    Track& track = tracks_[t];
    if (matches[t] < 0) {
      if (shares[t]) track.motion.measureShared(*shares[t]);
      if (track.measurements == 1 && track.missed == 0)
        flashes.push_back({track.last.row.x, track.last.row.y, track.arrival});
      track.miss(before, context());
      continue;
    }
    const Observation& own = seen[static_cast<size_t>(matches[t])];
    used[static_cast<size_t>(matches[t])] = true;
    const double step = std::hypot(own.x - track.last.row.x, own.y - track.last.row.y);
    if (track.missed == 0) (jumped[t] ? jumps : steps).push_back(step);
    if (shares[t])
      keepRowsOf(track, track.measureShared(own, *shares[t], context()));
    else if (jumped[t])
      keepRowsOf(track, track.jump(own, context()));
    else
      keepRowsOf(track, track.measure(own, context()));
  }
  const size_t known = tracks_.size();
  for (size_t o = 0; o < seen.size(); ++o)
    if (!used[o]) tracks_.emplace_back(seen[o], context());
  const std::span strangers = std::span(tracks_).subspan(known);
  countFreeSteps(flashes, strangers, options_.fastMarkers, untracked_);
  scene_.learn(steps.size(), jumps, strangers.size(), flashes.size());
  steps.insert(steps.end(), jumps.begin(), jumps.end());
  repeatedFrames_.learn(std::move(steps));
}

// Returns the tracks that may be part of an observation of two markers.
std::vector<bool> Tracker::ableToShare(const std::vector<bool>& jumped) const {
  std::vector<bool> able(tracks_.size());
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    able[t] = track.confirmed() && !jumped[t] && !track.isOver(0, context());
  }
  return able;
}

// Processes a frame that repeats the last one. The tracks that were measured there are in the same
// places.
void Tracker::repeat(std::span<const Observation> seen) {
  const double reach = options_.repeats.matchDistance;
  const PlaceGrid grid = gridOf(seen);
  std::vector<AllowedPair> pairs;
  for (size_t t = 0; t < tracks_.size(); ++t) {
    if (tracks_[t].missed > 0) continue;
    const TrackRow& row = tracks_[t].last.row;
    grid.around({row.x, row.y}, reach, reach, [&](size_t o) {
      const double away = std::max(std::abs(seen[o].x - row.x), std::abs(seen[o].y - row.y));
      if (away < reach) pairs.push_back({static_cast<int>(t), static_cast<int>(o), away - reach});
    });
  }
  const std::vector<int> matches =
      assign(static_cast<int>(tracks_.size()), static_cast<int>(seen.size()), pairs);
  for (size_t t = 0; t < tracks_.size(); ++t) {
    if (matches[t] < 0)
      ++tracks_[t].missed, ++tracks_[t].missedInVain;
    else
      keepRowsOf(tracks_[t], {tracks_[t].repeat(seen[static_cast<size_t>(matches[t])], context())});
  }
}

// Joins tracks with observations beyond their gates, if it is clear which is which. Returns those
// tracks.
std::vector<size_t> Tracker::joinLost(std::span<const Observation> seen,
                                      std::vector<int>& matches) const {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  const JumpOptions& options = options_.jumps;
  std::vector<Anchor> anchors;
  for (const Track& track : tracks_) {
    const TrackRow& row = track.last.row;
    anchors.push_back(track.isOver(0, context())
                          ? Anchor{kNowhere, kNowhere, kNowhere, kNowhere}
                          : Anchor{row.x, row.y, track.motion.x().position(),
                                   track.motion.y().position(), track.missed == 0,
                                   track.missed <= options.maxMissed, track.confirmed(),
                                   track.measurements > 1});
  }
  const JumpSearch search{.options = options,
                          .scene = scene_,
                          .farthest = std::max(options.maxSpeedFactor * settings_.maxSpeed,
                                               options.recentJumpFactor * scene_.farthestJump()),
                          .firstStep = options.firstStepFactor * settings_.maxSpeed};
  std::vector<size_t> joined = joinCommonJump(anchors, seen, search, matches);
  const std::vector<size_t> alone = joinJumps(anchors, seen, search, matches);
  joined.insert(joined.end(), alone.begin(), alone.end());
  return joined;
}

// Keeps the rows of a confirmed track. Those of another track wait until it is confirmed.
void Tracker::keepRowsOf(Track& track, const std::vector<TrackPoint>& points) {
  if (track.confirmed())
    keep(points);
  else
    track.early.insert(track.early.end(), points.begin(), points.end());
  if (!isKnownHotPixel(track)) return;
  // A hot pixel may wait for ever, so only its last rows are kept. If it turns out to be a marker,
  // its track begins shortly before the marker moves.
  const auto most = static_cast<size_t>(settings_.confirm);
  const auto isFirst = [](const TrackPoint& p) { return p.row.state == TrackState::measured; };
  if (track.early.size() > most)
    track.early.erase(track.early.begin(), std::find_if(track.early.end() - settings_.confirm,
                                                        track.early.end(), isFirst));
}

bool Tracker::isHotPixel(const Track& track) const {
  return !track.confirmed() && settings_.confirm > 1 &&
         track.pixel.isHotPixel(hotPixels_.at(track.pixel.x(), track.pixel.y()),
                                options_.hotPixels);
}

// Returns true for a hot pixel with at least two measurements. A single one contains no information
// about motion.
bool Tracker::isKnownHotPixel(const Track& track) const {
  return isHotPixel(track) && track.measurements > 1;
}

// Returns true if the observation is the light of a hot pixel and not other light that passes by.
bool Tracker::isOfHotPixel(const Observation& seen) const {
  return settings_.confirm > 1 && seen.radius > 0 &&
         seen.radius < options_.hotPixels.maxSingleRadius &&
         hotPixels_.isHot(seen.x, seen.y, scene_.area());
}

// Ends the tracks that cannot be measured in the present frame any more. A confirmed one is kept
// for longer, because a track that continues it must be confirmed first.
void Tracker::endTracks() {
  std::erase_if(tracks_, [this](Track& track) {
    const int extra = track.confirmed() ? settings_.confirm : 0;
    if (!track.isOver(extra, context())) return false;
    countUntracked(track);
    if (track.confirmed() && track.measurements >= options_.stitching.minMeasurements &&
        settings_.stitchGap > 0)
      stitcher_.remember({track.place(), track.last.clock, track.companionsThen(),
                          track.motion.restlessness(options_.motion)});
    return true;
  });
}

// Counts the measurements of a track that ends without having been confirmed.
void Tracker::countUntracked(const Track& track) {
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
      track.pixel.x(), track.pixel.y(),
      {seen, track.pixel.sightings().meanRadius() * static_cast<double>(seen)}, scene_.area());
  untracked_.ofHotPixels += hot;
  untracked_.observations -= hot;
  untracked_.flashes -= hot;
}

// Returns the places of the confirmed tracks that were measured in the last frame.
std::vector<TrackPlace> Tracker::measuredPlaces() const {
  std::vector<TrackPlace> places;
  for (const Track& track : tracks_)
    if (track.confirmed() && track.missed == 0) places.push_back(track.place());
  return places;
}

// Returns for each track the observation that fits its prediction, or -1.
std::vector<int> Tracker::match(std::span<const Observation> seen) const {
  const double minSigma = options_.matching.minSigma;
  double most = measurementVariance(0, minSigma);
  for (const Observation& o : seen)
    most = std::max(
        {most, measurementVariance(o.sigmaX, minSigma), measurementVariance(o.sigmaY, minSigma)});
  std::vector<bool> hot;
  for (const Observation& o : seen) hot.push_back(isOfHotPixel(o));
  const PlaceGrid grid = gridOf(seen);
  std::vector<AllowedPair> pairs;
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    if (track.isOver(0, context())) continue;
    const Reach reach = track.motion.reach(most, context());
    const GridPlace expected{track.motion.x().position(), track.motion.y().position()};
    grid.around(expected, reach.x, reach.y, [&](size_t o) {
      if (hot[o] && !track.confirmed() &&
          !track.pixel.isSamePixel(seen[o].x, seen[o].y, options_.hotPixels))
        return;
      if (const auto cost = track.matchCost(seen[o], context()))
        pairs.push_back({static_cast<int>(t), static_cast<int>(o), *cost});
    });
  }
  return assign(static_cast<int>(tracks_.size()), static_cast<int>(seen.size()), pairs);
}

// Gives an id to each track that has enough measurements. It is the id of a lost track that it
// continues, or a new one.
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
  const std::vector<int> continued = adoptions(tracks_, lost, found, context());
  std::vector<bool> adopted(tracks_.size(), false);
  std::vector<size_t> fresh;
  for (size_t f = 0; f < found.size(); ++f) {
    if (continued[f] < 0) {
      fresh.push_back(found[f]);
      continue;
    }
    const size_t l = lost[static_cast<size_t>(continued[f])];
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
    // Id 0 wraps round to the end.
    return a.id - 1 < b.id - 1;
  });
  tracks_ = std::move(kept);
}

// Returns for each new track the id of an ended one that it takes over, or 0.
std::vector<TrackId> Tracker::stitch(const std::vector<size_t>& found) {
  std::vector<NewTrack> tracks;
  for (const size_t f : found)
    tracks.push_back({tracks_[f].place(), tracks_[f].early.front().clock});
  return stitcher_.join(tracks, measuredPlaces(), now_.clock, clock_.interval());
}

// Confirms a track under this id. `lost` is the track that it continues, or null.
void Tracker::promote(Track& track, const Track* lost, TrackId id) {
  track.id = id;
  for (TrackPoint& point : track.early) point.row.track = track.id;
  track.last.row.track = track.id;
  if (lost) {
    keep(lost->bridge(track.early.front(), context()));
    track.continueFrom(*lost, context());
  }
  keep(track.early);
  track.early.clear();
}

// Keeps rows of confirmed tracks until they are taken.
void Tracker::keep(const std::vector<TrackPoint>& points) {
  for (const TrackPoint& point : points) {
    std::vector<TrackRow>& rows = rows_[point.row.frame];
    const auto place =
        std::upper_bound(rows.begin(), rows.end(), point.row,
                         [](const TrackRow& a, const TrackRow& b) { return a.track < b.track; });
    // The place is usually the end of the rows.
    rows.insert(place, point.row);
  }
}

std::vector<TrackRow> Tracker::live() const {
  std::vector<TrackRow> rows;
  for (const Track& track : tracks_) {
    if (!track.confirmed() || track.isOverNext(context())) continue;
    rows.push_back(track.missed == 0 ? track.last.row : track.predictedRow(context()));
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
    if (!track.confirmed() || track.isOverNext(context())) continue;
    track.predict(clock_.interval(), context());
    next.push_back({track.id, track.motion.x().position(), track.motion.y().position(),
                    settings_.gate * std::sqrt(track.spread(options_.matching))});
  }
  return next;
}

// Returns true if the gap of a track has become so long that it will have no rows.
bool Tracker::isWithoutRows(const Track& track) const {
  return track.confirmed() && track.isLongGap(settings_.confirm, context());
}

// Drops frames that are older than every open gap and every row that may still wait.
void Tracker::forgetFrames() {
  FrameNumber first = heldFrom();
  for (const Track& track : tracks_)
    if (!isWithoutRows(track)) first = std::min(first, track.last.row.frame);
  frames_.forgetBefore(first);
}

// Returns the first frame whose rows may wait.
FrameNumber Tracker::heldFrom() const {
  return frames_.firstWithin(options_.rows.maxHeldFrames, options_.rows.maxHeldSeconds);
}

// Returns the first frame that a track may still add rows to.
FrameNumber Tracker::firstUnfinished() const {
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
  const auto end = rows_.lower_bound(std::max(firstUnfinished(), heldFrom()));
  for (auto frame = rows_.begin(); frame != end; frame = rows_.erase(frame))
    rows.insert(rows.end(), frame->second.begin(), frame->second.end());
  return rows;
}

void Tracker::finish() {
  for (const Track& track : tracks_) countUntracked(track);
  tracks_.clear();
}

}  // namespace glint::motion
