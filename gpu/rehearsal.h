// What `refine` does before a frame is there, so that its code is near once it is needed.
#pragma once

#include <cstdint>

#include "gpu/buffer.h"
#include "shared/params.h"

namespace glint::gpu {

/// A tiny picture of one marker, which Passes::rehearse() measures while a frame is uploaded: once
/// on each multiprocessor. A GPU fetches code as it comes to it, and of `refine` that is much: 4 of
/// the 12 us of a marker. What is measured is used by nothing.
struct Rehearsal {
  /// Workgroups: at least one on each multiprocessor of a large GPU.
  static constexpr uint32_t kTimes = 192;

  /// `bits`: 8 or 16. Throws Error when the device has no room.
  Rehearsal(const Device& device, uint32_t bits);

  shared::RefineParams params;
  Buffer picture;  ///< a plane
  Buffer list;     ///< kTimes shared::Candidate, all the same one
  Buffer counts;   ///< a shared::LayerResult that counts them
  Buffer markers;  ///< kTimes shared::Detection
};

}  // namespace glint::gpu
