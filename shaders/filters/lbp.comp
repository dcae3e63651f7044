//! help Computes local binary patterns: one bit for each neighbour that is not darker.
//! feeds response
//! planes grey colour
//! border replicate
//! param tolerance: default 0; whole; range -65535 to 65535; slider -20 to 20; unit counts; help
//!   A neighbour sets its bit if it is brighter by at least this much.
//! check skimage.feature.local_binary_pattern
const ivec2 kNeighbours[8] = {{1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}};

uint value(ivec2 p, int c) {
  const int centre = int(at(p, c)) + P.tolerance;
  uint code = 0u;
  [[unroll]] for (int i = 0; i < 8; ++i) code |= int(at(p + kNeighbours[i], c)) >= centre ? 1u << i : 0u;
  return code * (kFull / 255u);
}
