// Distance transforms of volumes in the host's memory, in slabs where the device has too little
// room.
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

/// A transformed volume, in raster order; values as of DistanceTransform.
struct VolumeDistances {
  std::vector<uint32_t> values;
  std::vector<uint32_t> nearest;  ///< with options.nearest
  uint32_t sweeps = 0;            ///< of the metrics that count steps
  uint32_t slabs = 1;             ///< parts that the volume was cut into, at most in one pass
  double deviceSeconds = 0;       ///< spent by the passes alone; 0 where the device has no clock
};

/// Called with the share that is done, 0 to 1; returns whether to continue.
using VolumeProgress = std::function<bool(double done)>;

/// The distances of a volume whose features are `bits` (as DistanceTransform takes them), the same
/// whatever fits: no buffer is larger than `mostBytes` or what the device allows. Throws as
/// DistanceTransform does; Error also where not even one plane, or two of a metric that counts
/// steps, fits, and where `progress` returned false.
VolumeDistances transformVolume(const Device& device, const VolumeShape& shape,
                                std::span<const uint32_t> bits, const DistanceOptions& options,
                                const VolumeProgress& progress = {}, size_t mostBytes = SIZE_MAX,
                                std::shared_ptr<KernelStore> kernels = nullptr);

}  // namespace glint::gpu
