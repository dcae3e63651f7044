// Makes volumes on which distance transforms are measured.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace glint::bench {

enum class VolumeContent {
  half,     ///< each voxel is a feature with a probability of 1/2
  ball,     ///< a filled ball in the middle, with a radius of a third of the side
  single,   ///< one voxel, at a third of the side along each axis
  vessels,  ///< a tree of tubes that branch and taper: few features
};

inline constexpr std::array kVolumeContents{VolumeContent::half, VolumeContent::ball,
                                            VolumeContent::single, VolumeContent::vessels};

std::string describe(VolumeContent content);

/// Returns a cube of `side` voxels in raster order, 1 at features, 0 elsewhere. It is the same on
/// every machine.
std::vector<uint8_t> makeVolume(VolumeContent content, uint32_t side);

}  // namespace glint::bench
