// Finds which point in space a track in an image belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_row.h"
#include "app/motion/track/observation.h"

namespace glint::shell {

/// Returns the point of each track of a camera that has one. A measured track belongs to a point
/// that the camera sees and whose image is at most 6 px away; a predicted one may also belong to a
/// point that the camera does not see. Each point has one track, and the nearest pairs come first.
/// `points` and `tracks` are those of one moment.
std::map<TrackId, uint64_t> pointsOfTracks(const motion::SpaceRig& rig, size_t camera,
                                           std::span<const motion::SpaceRow> points,
                                           std::span<const motion::TrackRow> tracks);

}  // namespace glint::shell
