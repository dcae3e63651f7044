#include "gpu/detect/frame_memory.h"

#include "shared/feedback.h"
#include "shared/results.h"

namespace glint::gpu {

FrameMemory::FrameMemory(const Device& device, uint32_t layers)
    : feedback(device, sizeof(shared::Feedback), MemoryUse::settings, "feedback"),
      found(device, sizeof(shared::Candidate) * kMostMarkers * layers, MemoryUse::device, "found"),
      results(device, sizeof(shared::LayerResult) * layers, MemoryUse::device, "results"),
      luminanceStatistics(device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
                          "luminance statistics"),
      responseStatistics(device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
                         "response statistics"),
      samples(device, sizeof(uint32_t) * shared::kMaxSamples * layers, MemoryUse::readback,
              "samples"),
      outcome(device, sizeof(shared::LayerResult) * layers, MemoryUse::readback, "outcome"),
      accepted(device, sizeof(shared::Candidate) * kMostMarkers * layers, MemoryUse::readback,
               "accepted"),
      markers(device, sizeof(shared::Detection) * kMostMarkers * layers, MemoryUse::readback,
              "markers"),
      layers_(layers) {
  if (device.info().type == "cpu")
    groups_.emplace(device, 3 * sizeof(uint32_t), MemoryUse::settings, "groups");
}

void FrameMemory::resetGroups() {
  if (!groups_) return;
  const auto groups = groups_->as<uint32_t>();
  groups[0] = groups[1] = 1;
  groups[2] = layers_;
}

}  // namespace glint::gpu
