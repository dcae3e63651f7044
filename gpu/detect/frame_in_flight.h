// The frame that the device is working on, its config, and the way in which it is measured.
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

/// The way in which the markers of a frame are found. All ways to find peaks have the same result.
/// Kernels decide which candidates of a list are peaks. On CPUs the host does this.
enum class Search {
  listed,    ///< all candidates of a list are measured while the peaks are selected
  accepted,  ///< the peaks of a list are selected, and then measured
  plane,     ///< the host searches the whole response, with any number of candidates
  blobs      ///< markers are connected components
};

/// Kernels and buffers that only some frames need. They are held while the frame is on the device.
/// A null pointer means that the frame does not need it.
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
  Plane measured;             ///< plane in which markers are measured: luminance, maybe inverted
  Plane response;             ///< plane in which markers are searched for
  PlaneImage filter = {};     ///< output of a filter that is kept for drawing, if requested
  bool filterMissed = false;  ///< true if it was requested, but all buffers for it are held
};

/// A frame on the device.
struct FrameInFlight {
  FrameLease frame;
  DetectionConfig config;
  FrameResources resources;
  std::array<uint32_t, shared::kMaxLayers> thresholds{}, prominences{};  ///< per layer
  Selection selection{};
  Search search = Search::accepted;
  uint32_t candidates = 0;  ///< expected number of candidates in the fullest layer
  /// With Search::listed, the workgroups of `scan` per layer for which other passes wait; 0: none.
  uint32_t scanners = 0;
  FramePlanes planes{};
  uint32_t measured = 0;  ///< ranks per layer that are measured, or whose measurement is recorded
  std::shared_ptr<const PlaneImages> kept = {};  ///< copies of planes for drawing

  /// Returns true if `scan` lists the frame's candidates.
  bool listsCandidates() const { return search == Search::listed || search == Search::accepted; }

  PixelMask mask() const { return resources.masks ? resources.masks->bits() : PixelMask{}; }

  /// Returns the number of pixels of a layer that the response's statistics count.
  size_t pixels(uint32_t layer) const {
    return resources.masks ? resources.masks->measured(layer) : frame->format.image.pixels();
  }

  /// Returns `memory` if the threshold may need samples, otherwise null. A difference of Gaussians
  /// does not need them, because it has no large bright areas.
  const Buffer* samples(const Buffer& memory) const {
    const bool wanted =
        !config.settings->detect.threshold && config.settings->response.kind != ResponseKind::dog;
    return wanted ? &memory : nullptr;
  }

  /// Returns true if the statistics of the response and of the luminance are the same.
  bool sameStatistics() const {
    return planes.response.buffer == planes.luminance.buffer && !resources.masks;
  }
};

}  // namespace glint::gpu
