// Estimates the dark background of a frame's response from samples.
#pragma once

#include <cstdint>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/statistics.h"
#include "shared/results.h"

namespace glint::gpu {

/// Returns the background of a layer's response, if the layer may have large bright areas or
/// crowded markers, otherwise an invalid one. `response` are the statistics of the layer. The frame
/// must have been measured.
Ground groundOf(const FrameInFlight& frame, const FrameMemory& memory, uint32_t layer,
                const shared::PlaneStatistics& response);

}  // namespace glint::gpu
