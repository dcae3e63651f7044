// The small buffers that every frame uses.
#pragma once

#include <cstdint>

#include "gpu/buffer.h"
#include "shared/limits.h"

namespace glint {

/// Room for the most markers that can be asked for, so that another number needs no other buffers.
struct FrameMemory {
  static constexpr uint32_t kMostMarkers = shared::kMaxListed;  ///< measured, a layer

  FrameMemory(const Device& device, uint32_t layers);

  Buffer feedback;        ///< shared::Feedback
  Buffer found, results;  ///< accepted shared::Candidate, and shared::LayerResult
  // Kernels write these where the host reads them: a few kilobytes, sooner there than copied.
  Buffer luminanceStatistics, responseStatistics;
  Buffer samples;                     ///< of the response, kMaxSamples words a layer
  Buffer outcome, accepted, markers;  ///< shared::LayerResult, shared::Candidate, shared::Detection
};

}  // namespace glint
