#include "gpu/detect/near_fit.h"

#include <algorithm>

#include "gpu/detect/frame_memory.h"
#include "gpu/detect/limits.h"
#include "gpu/detect/neighbours.h"

namespace glint::gpu {
namespace {

/// The marker that a group reports: its layer, and its index in the layer.
struct Target {
  size_t layer, index;
};

/// Returns true if the joint fit is valid. At the image border, it is not if the peak alone is not
/// round, because the end of a line could look like a marker.
bool holds(const shared::Detection& alone, const shared::Detection& together) {
  const bool cut = (together.flags & shared::kFlagBorder) != 0;
  return together.sigmaX > 0 && !(cut && alone.elongation > kRound);
}

}  // namespace

NearFit::NearFit(const Device& device, const Passes& passes, uint32_t layers)
    : passes_(passes),
      groups_(device, sizeof(shared::NearMarkers) * FrameMemory::kMostMarkers * layers,
              MemoryUse::upload, "near markers"),
      measured_(device, sizeof(shared::Detection) * FrameMemory::kMostMarkers * layers,
                MemoryUse::readback, "near markers") {}

void NearFit::improve(Recorder& recorder, const FrameInFlight& frame, const Refinement& refinement,
                      std::vector<std::vector<shared::Detection>>& found,
                      std::vector<PassTime>& times) {
  std::vector<shared::NearMarkers> groups;
  std::vector<Target> targets;
  for (size_t layer = 0; layer < found.size(); ++layer) {
    const NearGroups near =
        nearMarkers(static_cast<uint32_t>(layer), found[layer], refinement.largest);
    groups.insert(groups.end(), near.groups.begin(), near.groups.end());
    for (const size_t index : near.indices) targets.push_back({layer, index});
  }
  if (groups.empty()) return;
  const auto measured = measure(recorder, frame.planes.measured, refinement, groups, times);
  for (size_t i = 0; i < targets.size(); ++i)
    take(found[targets[i].layer][targets[i].index], measured[i]);
}

std::span<const shared::Detection> NearFit::measure(Recorder& recorder, const Plane& plane,
                                                    const Refinement& refinement,
                                                    std::span<const shared::NearMarkers> groups,
                                                    std::vector<PassTime>& times) {
  std::copy(groups.begin(), groups.end(), groups_.as<shared::NearMarkers>().begin());
  recorder.begin();
  passes_.refineNear(recorder, plane, refinement, static_cast<uint32_t>(groups.size()), groups_,
                     measured_);
  recorder.submit();
  recorder.wait();
  times.insert(times.end(), recorder.times().begin(), recorder.times().end());
  return measured_.as<shared::Detection>().first(groups.size());
}

void NearFit::take(shared::Detection& d, const shared::Detection& together) {
  if (!holds(d, together)) return;
  const shared::Detection alone = d;
  d = together;
  d.peakX = alone.peakX;
  d.peakY = alone.peakY;
  d.peak = alone.peak;
  d.flags = together.flags | (alone.flags & shared::kFlagExpected);
}

}  // namespace glint::gpu
