// Finds out why the device rejected candidates. The host searches for them again according to the
// definitions in docs/detection.md. The time is proportional to the number of candidates, which
// includes noise.
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

/// Explains the rejected candidates of a response with one channel. `found` are the accepted peaks
/// in order of rank. The result has all other candidates at or above `threshold`, in order of
/// response, and of equal ones in raster order. The reasons are: the pixel is masked; it is nearer
/// than `separation` (px, at least 1) to an accepted peak, of which the best one's rank is given;
/// otherwise it is beyond the most markers. A plateau or a texture has many candidates that are too
/// near. If one is nearer than half of `separation` to one in the result, it is only counted there.
/// `mask` is empty or as large as the response. For `prominence` see shared::LayerFeedback.
std::vector<Rejected> explainPeaks(const ImageView& response, const LayerMask& mask,
                                   uint32_t threshold, double separation,
                                   std::span<const shared::Detection> found,
                                   uint32_t prominence = 0);

/// Explains only the candidates in masked pixels.
std::vector<Rejected> explainMasked(const ImageView& response, const LayerMask& mask,
                                    uint32_t threshold, uint32_t prominence = 0);

/// Explains the rejected blobs of a layer. `found` are the accepted blobs in order of rank, and
/// `blobs` are all blobs of the layer in any order, as the kernels write them. The result has all
/// other blobs in order of mass, with their measurements. The reasons are: outside of a limit, too
/// near, or beyond the most markers. The result does not contain components that were cut, but it
/// contains their parts.
std::vector<Rejected> explainBlobs(std::span<const shared::Blob> blobs, const ImageFormat& image,
                                   uint32_t threshold, const Settings::Detect& settings,
                                   std::span<const shared::Detection> found);

}  // namespace glint::gpu
