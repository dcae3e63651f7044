#include "app/session/counting.h"

#include <algorithm>
#include <bit>

#include "app/motion/frame/glance.h"

namespace glint::session {

void countFrame(const motion::Frame& frame, SessionCounts& counts) {
  ++counts.frames;
  counts.lastMarkers = counts.liveTracks = 0;
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const gpu::LayerMeasurement& measured = frame.cameras[i].measured;
    SessionCounts::Camera& camera = counts.cameras[i];
    camera.ended = measured.state == gpu::CameraState::ended;
    if (!camera.ended) ++camera.sets;
    if (!measured.stamp) continue;
    const uint64_t number = measured.stamp->sequence.value();
    camera.firstFrame = camera.frames == 0 ? number : std::min(camera.firstFrame, number);
    camera.lastFrame = std::max(camera.lastFrame, number);
    ++camera.frames;
    counts.dropped += measured.stamp->droppedBefore;
    motion::countMeasurement(measured, *frame.settings, counts);
    counts.lastMarkers += measured.markers.size();
    counts.liveTracks += frame.cameras[i].tracks.size();
    for (const gpu::Rejected& r : measured.rejected) counts.rejected[r.reason] += r.candidates;
  }
}

void countGlance(const motion::Frame& frame, const capture::FrameSet& set,
                 const capture::CameraGroups& groups, SessionCounts& counts) {
  const gpu::LayerMeasurement& measured = frame.cameras[0].measured;
  if (!measured.stamp || frame.session->live) return;
  const uint64_t number = counts.cameras[0].frames;
  if (!std::has_single_bit(number) || std::countr_zero(number) % 2 != 0) return;
  const capture::CameraGroups::Place& place = groups.places[0];
  const motion::Glance seen = motion::glanceAt(set.groups[place.group]->room(place.layer),
                                               measured.stamp->neutral, measured, *frame.settings);
  ++counts.glances;
  if (seen.dimmer) ++counts.dimmerGlances;
  if (seen.paired) ++counts.pairedGlances;
}

}  // namespace glint::session
