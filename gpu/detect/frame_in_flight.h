// The frame on the device: its config, and how it is being measured.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "gpu/detect/detection_config.h"
#include "gpu/detect/packed_masks.h"
#include "gpu/frame_pool.h"
#include "gpu/frame_upload.h"
#include "gpu/passes.h"
#include "gpu/plane_images.h"
#include "shared/limits.h"

namespace glint {

class BlobFinder;
class BlobReadback;
class Blur;
class CandidateMarker;
class FilterChain;
class PlanePool;
class RejectionReadback;

/// How its markers are found.
enum class Search {
  listed,  ///< peaks of a list of candidates, all measured while it is decided which are markers
  list,    ///< peaks of the list, measured once they are accepted
  many,    ///< the same of a longer list
  host,    ///< the same on a CPU, where the host accepts them, by rank, once they are listed
  map,     ///< peaks of a map of all candidates, which takes any number
  blobs
};

/// Kernels and buffers that only some frames need, while the frame is on the device. Null: not
/// needed.
struct FrameResources {
  std::shared_ptr<const Buffer> inverted, response;  ///< planes
  std::shared_ptr<const Blur> blur;
  std::shared_ptr<const PackedMasks> masks;
  std::shared_ptr<BlobFinder> blobs;
  std::shared_ptr<const RejectionReadback> rejection;
  std::shared_ptr<BlobReadback> blobReadback;
  std::shared_ptr<const PlanePool> keptSource, keptLuminance, keptResponse, keptCandidates,
      keptFilter;
  std::shared_ptr<const CandidateMarker> candidateMarker;
  std::shared_ptr<FilterChain> chain;
};

struct FramePlanes : FrameUpload::Planes {
  Plane measured;             ///< where markers are measured: luminance, or inverted luminance
  Plane response;             ///< where they are sought
  PlaneImage filter = {};     ///< what is kept of a filter, where that is wanted
  bool filterMissed = false;  ///< it was, but all buffers for it are held
};

struct FrameInFlight {
  FrameLease frame;
  DetectionConfig config;
  FrameResources resources;
  std::array<uint32_t, shared::kMaxLayers> thresholds{}, prominences{};  ///< of each layer
  Selection selection{};
  Search search = Search::list;
  uint32_t scanners = 0;  ///< by Search::listed, workgroups of `scan` that others wait for; 0: none
  FramePlanes planes{};
  uint32_t measured = 0;  ///< peaks of each layer, by rank, that are measured or on the way
  std::shared_ptr<const PlaneImages> kept = {};  ///< what is wanted of them

  PixelMask mask() const { return resources.masks ? resources.masks->bits() : PixelMask{}; }

  /// Pixels of a layer that the response's statistics count.
  size_t pixels(uint32_t layer) const {
    return resources.masks ? resources.masks->measured(layer) : frame->format.image.pixels();
  }

  /// Where samples go to, if the threshold may need them. A difference of Gaussians has no large
  /// areas.
  const Buffer* samples(const Buffer& memory) const {
    const bool wanted =
        !config.settings.detect.threshold && config.settings.response.kind != ResponseKind::dog;
    return wanted ? &memory : nullptr;
  }

  /// Whether the response's statistics are those of the luminance.
  bool sameStatistics() const {
    return planes.response.buffer == planes.luminance.buffer && !resources.masks;
  }
};

}  // namespace glint
