// Measures distance transforms of volumes that lie on the device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/volume_scene.h"
#include "gpu/volume/volume.h"

namespace glint::bench {

struct VolumeCase {
  uint32_t side = 0;  ///< voxels along each side of the cube
  VolumeContent content = VolumeContent::half;
  gpu::Metric metric = gpu::Metric::euclidean;
};

/// Times of a transform, from one byte per voxel on the device to the distances there.
struct VolumeResult : WorkTimes {
  VolumeCase what;
  std::string skipped;       ///< reason why it was not measured; if set, nothing else is valid
  Duration host;             ///< time of the host's peer; only for euclidean distances
  uint64_t differences = 0;  ///< number of voxels whose distance differs from the peer's
};

inline constexpr unsigned kVolumeThreads = 2;  ///< threads of the peer on the host

/// Returns cubes of these sides (voxels) with every content, for euclidean and chamfer 3-4-5
/// distances.
std::vector<VolumeCase> volumeCases(const std::vector<uint32_t>& sides);

/// Measures each case on `device`, and compares the distance of every voxel with the host's.
/// `progress` is called after each case, by the calling thread.
std::vector<VolumeResult> measureVolumes(const gpu::Device& device,
                                         const std::vector<VolumeCase>& cases, const Effort& effort,
                                         const std::function<void(const VolumeResult&)>& progress);

std::string describe(const VolumeCase& what);

/// Returns tables of all cases, of their passes, and of how the times of the slowest and the
/// fastest content grow with the number of voxels.
std::string toTable(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results);
std::string toJson(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results);

}  // namespace glint::bench
