#include "app/session/counting.h"

#include <bit>

#include "app/frame/glance.h"
#include "app/frame/threshold_doubt.h"

namespace glint {

void countFrame(const Frame& frame, SessionCounts& counts) {
  ++counts.frames;
  counts.lastMarkers = counts.liveTracks = 0;
  const auto most = static_cast<size_t>(frame.settings->detect.maxMarkers);
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const LayerMeasurement& measured = frame.cameras[i].measured;
    SessionCounts::Camera& camera = counts.cameras[i];
    camera.ended = measured.state == CameraState::ended;
    if (!camera.ended) ++camera.sets;
    if (!measured.stamp) continue;
    ++camera.frames;
    counts.dropped += measured.stamp->droppedBefore;
    if (measured.markers.size() == most) ++counts.fullFrames;
    if (measured.partial) ++counts.partialFrames;
    counts.barely += countBarely(measured, *frame.settings);
    if (lampOf(measured, *frame.settings) != nullptr) ++counts.lampFrames;
    counts.elongated += measured.elongated;
    if (measured.response.most < measured.threshold) ++counts.dimFrames;
    counts.lastMarkers += measured.markers.size();
    counts.liveTracks += frame.cameras[i].tracks.size();
    for (const Rejected& r : measured.rejected) counts.rejected[r.reason] += r.candidates;
  }
  counts.markers += counts.lastMarkers;
}

void countGlance(const Frame& frame, const FrameSet& set, const CameraGroups& groups,
                 SessionCounts& counts) {
  const LayerMeasurement& measured = frame.cameras[0].measured;
  if (!measured.stamp || frame.session->live) return;
  const uint64_t number = counts.cameras[0].frames;
  if (!std::has_single_bit(number) || std::countr_zero(number) % 2 != 0) return;
  const CameraGroups::Place& place = groups.places[0];
  const Glance seen = glanceAt(set.groups[place.group]->room(place.layer), measured.stamp->neutral,
                               measured, *frame.settings);
  ++counts.glances;
  if (seen.dimmer) ++counts.dimmerGlances;
  if (seen.paired) ++counts.pairedGlances;
}

}  // namespace glint
