// Volumes to measure distance transforms on.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glint::bench {

enum class VolumeContent {
  half,     ///< every second voxel a feature, at random
  ball,     ///< a filled ball of a third of the side in radius
  single,   ///< one voxel near the middle
  vessels,  ///< a tree of tubes that branch and taper, a sparse set
};

inline constexpr std::array kVolumeContents{VolumeContent::half, VolumeContent::ball,
                                            VolumeContent::single, VolumeContent::vessels};

std::string describe(VolumeContent content);

/// A cube of `side` voxels in raster order, 1 at features, 0 elsewhere. The same on every machine.
std::vector<uint8_t> makeVolume(VolumeContent content, uint32_t side);

}  // namespace glint::bench
