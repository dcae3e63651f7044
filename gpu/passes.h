// Every kernel with its buffers and its extent: one function a pass.
#pragma once

#include <cstdint>

#include "gpu/buffer.h"
#include "gpu/frame.h"
#include "gpu/kernel.h"
#include "gpu/recorder.h"
#include "shared/plane.h"

namespace glint {

/// Layers of one-channel (or interleaved colour) pixels in a buffer.
struct Plane {
  const Buffer* buffer = nullptr;
  shared::PlaneShape shape{};
  uint32_t layers = 1;
};

/// Where `peaks` leaves the candidates for `select`.
struct Candidates {
  Candidates(const Device& device, const shared::PlaneShape& shape, uint32_t layers);
  uint32_t tilesX, tilesY;
  Buffer bitmap;    ///< one bit a pixel, tile after tile
  Buffer tileKeys;  ///< one word a tile, see shaders/tile.glsl
};

/// How `select` chooses.
struct Selection {
  uint32_t maxMarkers = 1;  ///< a layer
  double separation = 1;    ///< px
};

/// How `refine` measures.
struct Refinement {
  bool enabled = true;
  uint32_t radius = 0;       ///< px; 0: from the marker itself
  uint32_t fullScale = 255;  ///< value of a saturated pixel of the plane
};

class Passes {
 public:
  /// Kernels for planes of `bits` (8 or 16).
  Passes(const Device& device, uint32_t bits);

  void luminance(Recorder& recorder, const Plane& color, const Plane& grey) const;
  void invert(Recorder& recorder, const Plane& luminance, const Plane& response) const;

  /// One shared::PlaneStatistics a layer into `result`; `parts` holds statisticsParts() of them.
  void statistics(Recorder& recorder, const Plane& plane, const Buffer& parts,
                  const Buffer& result) const;
  size_t statisticsParts(const shared::PlaneShape& shape, uint32_t layers) const;

  /// Adds to LayerResult::candidates in `results`, which must have been cleared.
  void peaks(Recorder& recorder, const Plane& response, const Buffer& feedback,
             const Candidates& candidates, const Buffer& results) const;

  /// Accepted peaks as `maxMarkers` shared::Detection a layer, LayerResult::markers of them valid.
  void select(Recorder& recorder, const Plane& response, const Candidates& candidates,
              const Selection& selection, const Buffer& results, const Buffer& markers) const;

  void refine(Recorder& recorder, const Plane& response, const Buffer& feedback,
              const Refinement& refinement, uint32_t maxMarkers, const Buffer& results,
              const Buffer& markers) const;

 private:
  Extent statisticsExtent(const shared::PlaneShape& shape, uint32_t layers) const;

  uint32_t bits_;
  uint32_t rowsPerThread_;  // of statistics
  Kernel luminance_, invert_, statistics_, statisticsMerge_, peaks_, select_, refine_;
};

}  // namespace glint
