// A rehearsal: `refine` runs on a small picture before a frame is uploaded, so that its code is
// already in the caches of the device when the frame is measured.
#pragma once

#include <cstdint>

#include "gpu/buffer.h"
#include "shared/params.h"

namespace glint::gpu {

/// A small picture of one marker, which Passes::rehearse() measures while a frame is uploaded, once
/// on each multiprocessor. A GPU fetches code only when it executes it. For the long code of
/// `refine` this takes 4 of the 12 us of a marker. The results are not used.
struct Rehearsal {
  /// Number of workgroups: at least one for each multiprocessor of a large GPU.
  static constexpr uint32_t kTimes = 192;

  /// `bits` is 8 or 16. Throws Error if the device has no room.
  Rehearsal(const Device& device, uint32_t bits);

  shared::RefineParams params;
  Buffer picture;  ///< the plane with the picture
  Buffer list;     ///< kTimes shared::Candidate, all of the same marker
  Buffer counts;   ///< a shared::LayerResult with their number
  Buffer markers;  ///< kTimes shared::Detection
};

}  // namespace glint::gpu
