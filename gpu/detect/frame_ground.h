// The dark ground of a frame's response, from samples of it.
#pragma once

#include <cstdint>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/statistics.h"
#include "shared/results.h"

namespace glint::gpu {

/// The ground of a layer's response, where large bright areas or crowded markers may be on it.
/// `response`: the layer's statistics. The frame must have been measured.
Ground groundOf(const FrameInFlight& frame, const FrameMemory& memory, uint32_t layer,
                const shared::PlaneStatistics& response);

}  // namespace glint::gpu
