// Measures peaks, blobs or candidates, and reads the results of the device.
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

  /// Records the measurement of all listed candidates (Search::listed).
  void recordListed(Recorder& recorder, const FrameInFlight& frame, const ScanMemory& scan) const;

  /// Records the measurement of the peaks or blobs that were found in other ways. Of peaks, at
  /// least those with the given `ranks` are measured.
  void recordFound(Recorder& recorder, const FrameInFlight& frame, const FoundMemory& found,
                   Ranks ranks) const;

  // The next four functions may be called when the recording is done.

  /// Returns true if no layer is LayerResult::unresolved.
  bool resolved() const;

  /// Returns true if all listed candidates were measured, so that the accepted ones are among them.
  bool listIsMeasured(const FrameInFlight& frame) const;

  const shared::LayerResult& outcome(uint32_t layer) const;

  /// Returns the measured peaks or blobs of a layer in order of rank.
  std::vector<shared::Detection> markers(const FrameInFlight& frame, uint32_t layer) const;

  /// Returns the options with which the frame's markers are measured.
  Refinement refinement(const FrameInFlight& frame) const;

 private:
  FrameFormat format_;
  const Passes& passes_;
  const FrameMemory& memory_;
};

}  // namespace glint::gpu
