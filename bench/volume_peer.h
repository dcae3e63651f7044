// Computes distance transforms on the host's threads, to compare results and times with the device.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::bench {

/// Returns the squared euclidean distances in a cube of `side` voxels to the nearest voxel of
/// `features` that is not 0; UINT32_MAX if there is none. It runs on `threads` threads, by the
/// method of Felzenszwalb and Huttenlocher (2012) and Meijster et al. (2000), in blocks of 16
/// columns.
std::vector<uint32_t> squaredDistances(const std::vector<uint8_t>& features, uint32_t side,
                                       unsigned threads);

/// Returns the chamfer 3-4-5 distances to the nearest voxel of `features` that is not 0; UINT32_MAX
/// if there is none. It runs on one thread, with one sweep forwards and one backwards over 13
/// neighbours each (Borgefors 1986).
std::vector<uint32_t> chamferDistances(const std::vector<uint8_t>& features, uint32_t side);

}  // namespace glint::bench
