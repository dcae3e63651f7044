// Markers that single cameras lose for a while: whether their 2D tracks keep their ids.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::test {

struct Hiding {
  size_t cameras = 4, markers = 20;
  uint64_t frames = 600;  ///< at 100 Hz
  uint64_t hidden = 40;   ///< frames in a row, now in this camera, now in that one
  bool foretold = true;   ///< whether points tell the cameras' trackers where lost tracks are
  double stitchGap = 0;   ///< s
  unsigned seed = 1;
};

struct KeptIds {
  size_t gaps = 0;
  size_t kept = 0;     ///< the same id afterwards
  size_t swapped = 0;  ///< another marker's
};

/// Of a Swarm that a ring of cameras sees.
KeptIds keptIds(const Hiding& hiding);

}  // namespace glint::test
