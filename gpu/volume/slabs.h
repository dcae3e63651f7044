// Computes distance transforms of volumes in the host's memory, in slabs where the device has too
// little room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "gpu/volume/passes.h"
#include "gpu/volume/volume.h"

namespace glint::gpu {

/// A transformed volume, in raster order.
struct VolumeDistances {
  std::vector<uint32_t> values;   ///< distances; see DistanceTransform
  std::vector<uint32_t> nearest;  ///< raster indices; empty without options.nearest
  uint32_t sweeps = 0;            ///< number of sweeps; 0 for euclidean distances
  uint32_t slabs = 1;             ///< the largest number of slabs in any of the passes
  double deviceSeconds = 0;       ///< time of the passes alone; 0 where the device has no clock
};

/// A function that is called with the share that is done, 0 to 1, and returns true to continue.
using VolumeProgress = std::function<bool(double done)>;

/// Returns the distances of a volume whose features are `bits`, laid out as for
/// DistanceTransform::record(). The volume is cut into slabs such that no buffer is larger than
/// `mostBytes` or than the device allows; the result does not depend on that. `progress` is called
/// by the calling thread. Throws as DistanceTransform does, and Error if not even one plane fits
/// (two planes for metrics that count steps) or if `progress` returned false.
VolumeDistances transformVolume(const Device& device, const VolumeShape& shape,
                                std::span<const uint32_t> bits, const DistanceOptions& options,
                                const VolumeProgress& progress = {}, size_t mostBytes = SIZE_MAX,
                                std::shared_ptr<KernelStore> kernels = nullptr);

}  // namespace glint::gpu
