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

namespace glint::gpu {

class BlobFinder;
class BlobReadback;
class Blur;
class CandidateMarker;
class FilterChain;
class PlanePool;
class RejectionReadback;

/// How the markers of a frame are found. All ways to peaks have the same result. Which candidates
/// of a list are peaks is decided by kernels, or on CPUs by the host.
enum class Search {
  listed,    ///< peaks of a list, all of which is measured while it is decided what is a peak
  accepted,  ///< peaks of a list, measured once it is decided what is a peak
  plane,  ///< peaks of the whole response, which the host looks through: any number of candidates
  blobs   ///< connected components
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
  Search search = Search::accepted;
  uint32_t candidates = 0;  ///< that the fullest layer is expected to have
  uint32_t scanners = 0;  ///< by Search::listed, workgroups of `scan` that others wait for; 0: none
  FramePlanes planes{};
  uint32_t measured = 0;  ///< peaks of each layer, by rank, that are measured or on the way
  std::shared_ptr<const PlaneImages> kept = {};  ///< what is wanted of them

  /// Returns true if `scan` lists the frame's candidates.
  bool listsCandidates() const { return search == Search::listed || search == Search::accepted; }

  PixelMask mask() const { return resources.masks ? resources.masks->bits() : PixelMask{}; }

  /// Pixels of a layer that the response's statistics count.
  size_t pixels(uint32_t layer) const {
    return resources.masks ? resources.masks->measured(layer) : frame->format.image.pixels();
  }

  /// Where samples go to, if the threshold may need them. A difference of Gaussians has no large
  /// areas.
  const Buffer* samples(const Buffer& memory) const {
    const bool wanted =
        !config.settings->detect.threshold && config.settings->response.kind != ResponseKind::dog;
    return wanted ? &memory : nullptr;
  }

  /// Whether the response's statistics are those of the luminance.
  bool sameStatistics() const {
    return planes.response.buffer == planes.luminance.buffer && !resources.masks;
  }
};

}  // namespace glint::gpu
