#include "tests/space/hidden_markers.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/motion/space/track_links.h"
#include "app/motion/track/tracker.h"
#include "tests/geometry/rigs.h"
#include "tests/space/simulation.h"

namespace glint::test {
namespace {

constexpr uint64_t kSeen = 60;  // The number of frames that a marker is seen between two gaps.
// The marker must have an id again when this number of frames has passed after a gap.
constexpr uint64_t kLater = 6;
constexpr double kRate = 100;  // Hz

/// The rule by which a marker is hidden: in the last `hidden` frames of each period one camera does
/// not see it. The cameras take turns.
struct Schedule {
  uint64_t phase, period, hidden;
  size_t cameras, marker;

  uint64_t within(uint64_t frame) const { return (frame + phase) % period; }
  size_t camera(uint64_t frame) const { return ((frame + phase) / period + marker) % cameras; }
  bool hides(uint64_t frame, size_t camera) const {
    return within(frame) >= period - hidden && this->camera(frame) == camera;
  }
};

motion::Observation observationOf(const Eigen::Vector2d& at) {
  motion::Observation seen;
  seen.x = at.x(), seen.y = at.y();
  seen.sigmaX = seen.sigmaY = 0.1;
  seen.mass = 1000, seen.radius = 3;
  return seen;
}

/// Returns the id of each dot, in the order of the dots. Dots without a confirmed track get 0.
std::vector<TrackId> idsOf(const std::vector<motion::TrackRow>& rows,
                           const motion::SpaceView& view) {
  std::vector<TrackId> ids(view.dots.size());
  for (const motion::TrackRow& row : rows)
    for (size_t d = 0; d < ids.size(); ++d)
      if (row.state == motion::TrackState::measured && row.x == view.dots[d].at.x())
        ids[d] = row.track;
  return ids;
}

}  // namespace

KeptIds keptIds(const Hiding& hiding) {
  std::mt19937 random(hiding.seed);
  const motion::Rig rig = ringRig(static_cast<int>(hiding.cameras));
  const Swarm swarm(hiding.markers, random);
  std::vector<Schedule> schedules;
  for (size_t m = 0; m < hiding.markers; ++m)
    schedules.push_back(
        {random() % kSeen, kSeen + hiding.hidden, hiding.hidden, hiding.cameras, m});
  Settings::Track settings = Settings().track;
  settings.stitchGap = hiding.stitchGap;
  motion::PointTracker points(std::make_shared<const motion::SpaceRig>(rig), settings);
  motion::TrackLinks links(hiding.cameras);
  const auto numbers = std::make_shared<motion::TrackIds>();
  std::vector<motion::Tracker> trackers(hiding.cameras, motion::Tracker(settings, numbers));
  std::vector<std::map<TrackId, size_t>> owners(hiding.cameras);
  // The id before the gap, by camera and marker.
  std::map<std::pair<size_t, size_t>, TrackId> before;
  KeptIds result;
  for (uint64_t f = 0; f < hiding.frames; ++f) {
    const double time = static_cast<double>(f) / kRate;
    const Places places = swarm.at(time);
    motion::SpaceSet set{f, std::vector<motion::SpaceView>(hiding.cameras)};
    std::vector<std::vector<size_t>> markers(hiding.cameras);
    for (size_t c = 0; c < hiding.cameras; ++c) {
      const motion::RigCamera& camera = rig.cameras[c];
      set.views[c].time = time;
      std::vector<motion::Observation> seen;
      for (size_t m = 0; m < places.size(); ++m) {
        const motion::Projection image = motion::project(camera.lens, camera.pose, places[m]);
        const Eigen::Vector2d at = image.pixel + normalVector(random, 0.1).head<2>();
        const bool outside = image.depth <= 0 || at.x() < 0 || at.y() < 0 ||
                             at.x() > camera.width - 1 || at.y() > camera.height - 1;
        if (outside) before.erase({c, m});
        if (outside || schedules[m].hides(f, c)) continue;
        set.views[c].dots.push_back({at, {0.1, 0.1}});
        markers[c].push_back(m);
        seen.push_back(observationOf(at));
      }
      const auto predictedPlaces = hiding.predictedPlaces ? links.predict(points, c, time)
                                                          : std::vector<motion::PredictedPlace>();
      trackers[c].update({SetIndex(f), FrameNumber(f), time}, seen, predictedPlaces);
    }
    points.update(set);
    for (size_t c = 0; c < hiding.cameras; ++c) {
      const auto rows = trackers[c].live();
      links.learn(points, c, rows);
      const auto ids = idsOf(rows, set.views[c]);
      for (size_t d = 0; d < ids.size(); ++d) {
        const size_t m = markers[c][d];
        const uint64_t within = schedules[m].within(f);
        if (within == kSeen - 1 && schedules[m].camera(f) == c && ids[d] != TrackId())
          before[{c, m}] = ids[d];
        const bool wasHidden = f >= kLater + hiding.hidden && within == kLater &&
                               schedules[m].camera(f - schedules[m].period / 2) == c;
        if (const auto gap = before.find({c, m}); wasHidden && gap != before.end()) {
          ++result.gaps;
          const auto owner = owners[c].find(ids[d]);
          if (gap->second == ids[d])
            ++result.kept;
          else if (owner != owners[c].end() && owner->second != m)
            ++result.swapped;
          before.erase(gap);
        }
        if (ids[d] != TrackId()) owners[c].emplace(ids[d], m);
      }
    }
  }
  return result;
}

}  // namespace glint::test
