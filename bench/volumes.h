// Measures distance transforms of volumes that are on the device.
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
  uint32_t side = 0;  ///< voxels, of a cube
  VolumeContent content = VolumeContent::half;
  gpu::Metric metric = gpu::Metric::euclidean;
};

/// Its times are from one byte a voxel on the device to distances there.
struct VolumeResult : WorkTimes {
  VolumeCase what;
  std::string skipped;       ///< why it was not measured; then nothing else is valid
  Duration host;             ///< of the peer on the host: euclidean alone
  uint64_t differences = 0;  ///< voxels whose distance is not the peer's
};

inline constexpr unsigned kVolumeThreads = 2;  ///< of the peer on the host

/// Cubes of these sides with every content, euclidean and chamfer 3-4-5.
std::vector<VolumeCase> volumeCases(const std::vector<uint32_t>& sides);

/// Measures each case on `device`, and compares every voxel with the host's peers. `progress` is
/// called after each case.
std::vector<VolumeResult> measureVolumes(const gpu::Device& device,
                                         const std::vector<VolumeCase>& cases, const Effort& effort,
                                         const std::function<void(const VolumeResult&)>& progress);

std::string describe(const VolumeCase& what);

/// A table of every case, of their passes, and of how the worst and the best content grow with the
/// number of voxels.
std::string toTable(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results);
std::string toJson(const gpu::DeviceInfo& device, const std::vector<VolumeResult>& results);

}  // namespace glint::bench
