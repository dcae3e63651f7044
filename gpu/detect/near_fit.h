// Measures markers together whose light overlaps. Most frames have none.
#pragma once

#include <span>
#include <vector>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/results.h"

namespace glint::gpu {

class NearFit {
 public:
  /// `passes` must outlive it.
  NearFit(const Device& device, const Passes& passes, uint32_t layers);

  /// `found`: the measured peaks of each layer, in order of rank. Those beside others get the
  /// place, size and sigma of a fit of them together, where that holds. Adds to `times` what the
  /// device spent on it. The frame's planes must still be there, and nothing in flight. Throws
  /// DeviceLost.
  void improve(Recorder& recorder, const FrameInFlight& frame, const Refinement& refinement,
               std::vector<std::vector<shared::Detection>>& found, std::vector<PassTime>& times);

  /// Fits groups together, as many as nearMarkers() may tell of the markers of all layers: one
  /// measurement each, which depends on nothing but the group, valid until the next call.
  std::span<const shared::Detection> measure(Recorder& recorder, const Plane& plane,
                                             const Refinement& refinement,
                                             std::span<const shared::NearMarkers> groups,
                                             std::vector<PassTime>& times);
  size_t mostGroups() const { return groups_.as<shared::NearMarkers>().size(); }

  /// Puts what a fit together says in the place of what `d` was found to be, where it holds.
  static void take(shared::Detection& d, const shared::Detection& together);

 private:
  const Passes& passes_;
  Buffer groups_, measured_;  // room for all markers of all layers
};

}  // namespace glint::gpu
