// Finds tracks that have just been confirmed and continue a track that is missed at the moment.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/motion/track/frame_context.h"
#include "app/motion/track/track.h"

namespace glint::motion {

/// Returns for each of the confirmed tracks `found` the index in `lost` of the track that it
/// continues, or -1. `found` and `lost` are indices in `tracks`. A track continues another one if
/// that is more likely than being another marker. Among many markers that move alike, another
/// marker is likely.
std::vector<int> adoptions(std::span<const Track> tracks, std::span<const size_t> lost,
                           std::span<const size_t> found, const FrameContext& context);

}  // namespace glint::motion
