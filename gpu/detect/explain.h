// Why the device rejected candidates: the host searches for them again, by the definitions in
// docs/detection.md. Takes time in proportion to the number of candidates, noise included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/settings.h"
#include "gpu/detect/limits.h"
#include "gpu/frame.h"
#include "gpu/mask.h"
#include "shared/blobs.h"
#include "shared/results.h"

namespace glint::gpu {

/// The candidates of a response of one channel, at or above `threshold`, that are not in `found`,
/// the peaks accepted, in order of rank: in masked pixels; nearer than `separation` (px, >= 1) to
/// an accepted one, with the rank of the best; and otherwise beyond the most. In order of response,
/// ties to the lowest raster index. A plateau or a texture has many that are too near: one nearer
/// than half a `separation` to one that is told is no more than counted there. `mask`: empty or of
/// the response's size. `prominence`: candidates inside of what falls by less are none
/// (shared::LayerFeedback).
std::vector<Rejected> explainPeaks(const ImageView& response, const LayerMask& mask,
                                   uint32_t threshold, double separation,
                                   std::span<const shared::Detection> found,
                                   uint32_t prominence = 0);

/// Only those in masked pixels.
std::vector<Rejected> explainMasked(const ImageView& response, const LayerMask& mask,
                                    uint32_t threshold, uint32_t prominence = 0);

/// The components and parts that are not in `found`, the blobs accepted, in order of rank: outside
/// of a limit, too near, or beyond the most. They have their own measures, in order of mass.
/// Components that were cut are none themselves; their parts are. `blobs`: those of a layer of
/// `image`, in any order, as the kernels leave them.
std::vector<Rejected> explainBlobs(std::span<const shared::Blob> blobs, const ImageFormat& image,
                                   uint32_t threshold, const Settings::Detect& settings,
                                   std::span<const shared::Detection> found);

}  // namespace glint::gpu
