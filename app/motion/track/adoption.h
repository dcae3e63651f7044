// Finds tracks that have just been confirmed and continue a track that is missed at the moment.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/motion/track/frame_context.h"
#include "app/motion/track/track.h"

namespace glint::motion {

/// Returns, for each of the confirmed tracks `found`, the place in `lost` of the track that it
/// continues, or -1. Both are numbers of `tracks`. A track continues another if that is likelier
/// than being another marker, which is likely among many markers that move alike.
std::vector<int> adoptions(std::span<const Track> tracks, std::span<const size_t> lost,
                           std::span<const size_t> found, const FrameContext& context);

}  // namespace glint::motion
