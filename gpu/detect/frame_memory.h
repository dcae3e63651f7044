// The small buffers that every frame uses.
#pragma once

#include <cstdint>
#include <optional>

#include "config/settings.h"
#include "gpu/buffer.h"
#include "shared/limits.h"

namespace glint::gpu {

/// Room for the most markers that can be asked for, so that another number needs no other buffers.
struct FrameMemory {
  static constexpr uint32_t kMostMarkers = shared::kMaxResolved;  ///< measured, a layer
  static_assert(kMostMarkers == kMostDetections);

  FrameMemory(const Device& device, uint32_t layers);

  Buffer feedback;        ///< shared::Feedback
  Buffer found, results;  ///< accepted shared::Candidate, and shared::LayerResult
  // Kernels write these where the host reads them: a few kilobytes, sooner there than copied.
  Buffer luminanceStatistics, responseStatistics;
  Buffer samples;                     ///< of the response, kMaxSamples words a layer
  Buffer outcome, accepted, markers;  ///< shared::LayerResult, shared::Candidate, shared::Detection

  /// Where a search counts how many workgroups `refine` needs: along x for the fullest layer, at
  /// least one; y and z. Null: `refine` starts one for each marker that there may be. That costs a
  /// GPU nothing. On a CPU each costs 1.7 us, also without a marker, and the first threads get all
  /// the markers.
  const Buffer* groups() const { return groups_ ? &*groups_ : nullptr; }

  /// Before a search is recorded. Nothing may be in flight.
  void resetGroups();

 private:
  uint32_t layers_;
  std::optional<Buffer> groups_;
};

}  // namespace glint::gpu
