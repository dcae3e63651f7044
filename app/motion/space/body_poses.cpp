#include "app/motion/space/body_poses.h"

#include <iterator>
#include <utility>

namespace glint::motion {

void BodyPoses::follow(const SetClock& clock, const SpaceRig& rig, const NoiseFloor& floor,
                       std::span<PointTrack> tracks) {
  std::vector<BodyPoint> points;
  for (const PointTrack& track : tracks)
    points.push_back(
        {.id = track.id(),
         .measured = track.isMeasured(),
         .at = track.isMeasured() ? track.last().at : track.filter().position(),
         .covariance = track.isMeasured() ? track.byImages : track.filter().covariance(),
         .sights = &track.rays});
  now_ = tracker_.update({clock.frame(), clock.time(), clock.step(), rig, floor}, points);
  final_.insert(final_.end(), now_.begin(), now_.end());
  for (size_t k = 0; k < tracks.size(); ++k) {
    if (points[k].body < 0) continue;
    const Body& body = bodies()[static_cast<size_t>(points[k].body)].body;
    tracks[k].label(body.name, body.markers[static_cast<size_t>(points[k].marker)].label);
  }
}

void BodyPoses::predict(uint64_t frame, const SetClock& clock, const SpaceRig& rig,
                        const NoiseFloor& floor) {
  if (clock.sets() == 0) return;
  const double step = static_cast<double>(frame - clock.frame()) * clock.interval();
  now_ = tracker_.predict({frame, clock.time() + step, step, rig, floor});
}

void BodyPoses::fillGap(const SetClock& before, const SetClock& now, const SpaceRig& rig,
                        const NoiseFloor& floor) {
  if (before.sets() == 0) return;
  for (uint64_t frame = before.frame() + 1; frame < now.frame(); ++frame) {
    const double step = now.step() * static_cast<double>(frame - before.frame()) /
                        static_cast<double>(now.frame() - before.frame());
    auto rows = tracker_.predict({frame, before.time() + step, step, rig, floor});
    if (rows.empty()) return;
    std::move(rows.begin(), rows.end(), std::back_inserter(final_));
  }
}

void BodyPoses::give(SpaceFrame& frame) {
  frame.poses = std::exchange(now_, {});
  frame.finalPoses = std::exchange(final_, {});
  for (std::string& note : tracker_.takeNotes()) frame.notes.push_back(std::move(note));
}

}  // namespace glint::motion
