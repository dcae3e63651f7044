// Distance transforms on the host's own threads, to compare results and times with.
#pragma once

#include <cstdint>
#include <vector>

namespace glint::bench {

/// Squared euclidean distances of a cube of `side` voxels, features != 0, on `threads` threads: as
/// Felzenszwalb and Huttenlocher (2012) and Meijster et al. (2000), columns in blocks of 16.
/// UINT32_MAX where there is no feature.
std::vector<uint32_t> squaredDistances(const std::vector<uint8_t>& features, uint32_t side,
                                       unsigned threads);

/// Chamfer 3-4-5 distances, by one sweep forwards and one backwards over 13 neighbours each
/// (Borgefors 1986), on one thread. UINT32_MAX where there is no feature.
std::vector<uint32_t> chamferDistances(const std::vector<uint8_t>& features, uint32_t side);

}  // namespace glint::bench
