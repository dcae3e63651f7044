// Measures the candidates found, and reads the device's results.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/results.h"

namespace glint::gpu {

class Refiner {
 public:
  /// `passes` and `memory` must outlive it.
  Refiner(const FrameFormat& format, const Passes& passes, const FrameMemory& memory);

  /// Measures the listed candidates where they stand in the list: Search::listed.
  void recordListed(Recorder& recorder, const FrameInFlight& frame, const ScanMemory& scan) const;

  /// Measures what was found in all other ways; of peaks at least those of `ranks`.
  void recordFound(Recorder& recorder, const FrameInFlight& frame, const FoundMemory& found,
                   Ranks ranks) const;

  // Once the recording is done:

  /// Whether the way took all that there was in every layer.
  bool resolved() const;

  /// Whether all candidates were measured, so that the accepted ones are among them.
  bool listIsMeasured(const FrameInFlight& frame) const;

  const shared::LayerResult& outcome(uint32_t layer) const;

  /// The measured markers of a layer in order of rank.
  std::vector<shared::Detection> markers(const FrameInFlight& frame, uint32_t layer) const;

  /// How the frame's markers are measured.
  Refinement refinement(const FrameInFlight& frame) const;

 private:
  FrameFormat format_;
  const Passes& passes_;
  const FrameMemory& memory_;
};

}  // namespace glint::gpu
