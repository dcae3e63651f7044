// Measures markers whose light overlaps together. Most frames have none.
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

  /// Improves the measured peaks of each layer, which are in order of rank. Peaks with near
  /// neighbours get the position, size and sigma of a joint fit, if that is valid. Adds the
  /// device's times to `times`. The planes of the frame must still exist, and nothing may be in
  /// flight. Throws DeviceLost.
  void improve(Recorder& recorder, const FrameInFlight& frame, const Refinement& refinement,
               std::vector<std::vector<shared::Detection>>& found, std::vector<PassTime>& times);

  /// Fits the markers of each group together, for at most mostGroups() groups. Returns one
  /// measurement for each group, which depends on nothing but the group and the image. The result
  /// is valid until the next call.
  std::span<const shared::Detection> measure(Recorder& recorder, const Plane& plane,
                                             const Refinement& refinement,
                                             std::span<const shared::NearMarkers> groups,
                                             std::vector<PassTime>& times);
  size_t mostGroups() const { return groups_.as<shared::NearMarkers>().size(); }

  /// Replaces the measurement `d` by that of the joint fit, if the joint fit is valid.
  static void take(shared::Detection& d, const shared::Detection& together);

 private:
  const Passes& passes_;
  Buffer groups_, measured_;  // with room for all markers of all layers
};

}  // namespace glint::gpu
