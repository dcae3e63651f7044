#include "app/motion/space/point_tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glint::motion {
namespace {

// Returns the settings for tracking. If sets are unrelated, every point is confirmed at once, and
// none is joined to a point of another set.
Settings::Track adapted(Settings::Track settings, bool stills) {
  if (stills) settings.confirm = 1, settings.stitchGap = 0;
  return settings;
}

// Returns the longest time in which a camera reads its rows, s.
double longestReadout(const SpaceRig& rig) {
  double longest = 0;
  for (size_t c = 0; c < rig.size(); ++c)
    longest = std::max(longest, std::abs(rig[c].camera().readout));
  return longest;
}

}  // namespace

PointTracker::PointTracker(std::shared_ptr<const SpaceRig> rig, const Settings::Track& settings,
                           bool stills, bool refused,
                           const std::shared_ptr<const std::vector<Body>>& bodies,
                           const PointTrackerOptions& options)
    : settings_(adapted(settings, stills)),
      options_(options),
      stills_(stills),
      floor_(rig->size(), options.floor),
      dotAssignment_(options, settings_.spaceSpeed, refused),
      ids_(settings_, options.stitching),
      rigCheck_(std::move(rig), options.rigCheck) {
  if (bodies && !bodies->empty()) bodies_.emplace(*bodies, options.bodies);
}

void PointTracker::apply(const Settings::Track& settings) {
  const double maxSpeed = settings_.spaceSpeed;
  settings_ = adapted(settings, stills_);
  if (settings_.spaceSpeed != maxSpeed) dotAssignment_.setMaxSpeed(settings_.spaceSpeed);
  ids_.apply(settings_);
}

void PointTracker::update(const SpaceSet& set) {
  if (set.empty()) {
    if (bodies_) bodies_->predict(set.frame, clock_, rig(), floor_);
    return;
  }
  const SetClock before = clock_;
  clock_.advance(set);
  fresh_ = set.frame;
  const double spread = set.spread() + longestReadout(rig());
  const unsigned flags = (spread > options_.sameTime ? unsigned{kTimesApart} : 0U) |
                         (rig().hasCovariance() ? 0U : unsigned{kRigUnknown});
  if (bodies_) bodies_->fillGap(before, clock_, rig(), floor_);
  for (PointTrack& track : tracks_) track.predict(clock_.step());
  DotIndex dots(rig(), floor_, set);
  for (const PointTrack& track :
       dotAssignment_.assign({rig(), floor_, set, dots, clock_, flags}, tracks_))
    ids_.remember(track);
  checkRig(set, dots);
  for (PointTrack& track : tracks_)
    if (track.lastMeasured() != set.frame)
      track.miss(set.frame, clock_.time(), camerasOf(track.rays), flags);
  floor_.learn();
  endTracks();
  ids_.confirm(tracks_, clock_);
  if (bodies_) bodies_->follow(clock_, rig(), floor_, tracks_);
  rows_.collect(tracks_, set.frame);
  if (stills_) finish();
}

// Compares the rig with the points of a set.
void PointTracker::checkRig(const SpaceSet& set, const DotIndex& dots) {
  rigCheck_.count(dots);
  if (stills_ || clock_.sets() % options_.rigCheck.interval != 0) return;
  if (rigCheck_.compare(set, dots, tracks_, clock_, floor_))
    // The stored covariances belong to the old rig.
    for (PointTrack& track : tracks_) track.rigCameras = 0;
}

// Ends the tracks that have been missed for too long.
void PointTracker::endTracks() {
  std::erase_if(tracks_, [&](PointTrack& track) {
    const uint64_t gap = clock_.frame() - track.lastMeasured();
    const bool confirmed = track.id() != 0;
    if (gap <= (confirmed ? static_cast<uint64_t>(settings_.maxGap) : options_.maxUnconfirmedGap))
      return false;
    if (confirmed)
      ids_.remember(track);
    else
      dotAssignment_.refuse(track);
    return true;
  });
}

// With fewer sets than a point needs, those that were measured in all of them are points.
void PointTracker::finish() {
  if (hasFewSets()) ids_.confirmRest(tracks_, clock_);
  for (PointTrack& track : tracks_)
    if (track.id() == 0) dotAssignment_.refuse(track);
  rows_.collect(tracks_, clock_.frame());
  tracks_.clear();
  rows_.collect({}, clock_.frame());
  if (bodies_) bodies_->forget();
}

std::vector<SpaceRow> PointTracker::now() const {
  std::vector<SpaceRow> all;
  for (const PointTrack& track : tracks_)
    if (track.id() != 0) all.push_back(track.newest());
  sortById(all);
  return all;
}

SpaceFrame PointTracker::takeFrame() {
  SpaceFrame frame;
  frame.frame = std::exchange(fresh_, std::nullopt);
  frame.time = clock_.time();
  frame.rig = rigCheck_.rig();
  frame.corrections = rigCheck_.corrections();
  frame.now = now();
  frame.finalised = takeFinalised();
  frame.firstOpen = rows_.firstOpen();
  frame.refused = takeRefused();
  frame.notes = rigCheck_.takeNotes();
  if (bodies_) bodies_->give(frame);
  if (!frame.frame && !frame.poses.empty()) frame.time = frame.poses.front().time;
  return frame;
}

}  // namespace glint::motion
