// Detects steps between lights that belong to no track. They suggest markers that are too fast to
// be followed.
#pragma once

#include <span>

#include "app/motion/track/tracker_options.h"
#include "app/motion/track/untracked.h"

namespace glint::motion {

struct Track;

/// Counts steps between the flashes of the last frame and the tracks that begin in this one, and
/// sets the `arrival` of these tracks. A single step may lie between any two stray lights, so only
/// two similar steps in a row are counted.
void countFreeSteps(std::span<const Flash> flashes, std::span<Track> strangers,
                    const FastMarkerOptions& options, Untracked& untracked);

}  // namespace glint::motion
