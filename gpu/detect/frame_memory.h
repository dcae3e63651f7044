// The small buffers that all frames use.
#pragma once

#include <cstdint>
#include <optional>

#include "config/settings.h"
#include "gpu/buffer.h"
#include "shared/limits.h"

namespace glint::gpu {

/// Buffers with room for the most markers that settings allow, so that a change of their number
/// needs no new buffers.
struct FrameMemory {
  static constexpr uint32_t kMostMarkers = shared::kMaxResolved;  ///< most measured, per layer
  static_assert(kMostMarkers == kMostDetections);

  FrameMemory(const Device& device, uint32_t layers);

  Buffer feedback;        ///< shared::Feedback
  Buffer found, results;  ///< accepted shared::Candidate, and shared::LayerResult
  // Kernels write the next six buffers directly to memory that the host reads. They have only a few
  // kilobytes, so that this is faster than a copy.
  Buffer luminanceStatistics, responseStatistics;
  Buffer samples;                     ///< samples of the response, kMaxSamples words per layer
  Buffer outcome, accepted, markers;  ///< shared::LayerResult, shared::Candidate, shared::Detection

  /// Returns the buffer in which a search counts the workgroups that `refine` needs: along x those
  /// for the fullest layer, at least one, and along y and z. Null: `refine` starts one for each
  /// possible marker. On a GPU these cost nothing. On a CPU each costs 1.7 us even without a
  /// marker, and the first threads would get all the markers.
  const Buffer* groups() const { return groups_ ? &*groups_ : nullptr; }

  /// Sets the numbers of workgroups to one. It must be called before a search is recorded. Nothing
  /// may be in flight.
  void resetGroups();

 private:
  uint32_t layers_;
  std::optional<Buffer> groups_;
};

}  // namespace glint::gpu
