// Kernels and buffers that only some frames need, as one frame holds them while it is on the
// device.
#pragma once

#include <memory>

#include "gpu/buffer.h"

namespace glint {

class BlobFinder;
class BlobReadback;
class Blur;
class CandidateMarker;
class FilterChain;
class PackedMasks;
class PlanePool;
class RejectionReadback;

/// Null: not needed.
struct FrameResources {
  std::shared_ptr<const Buffer> inverted, response;  ///< planes
  std::shared_ptr<const Blur> blur;
  std::shared_ptr<const PackedMasks> masks;
  std::shared_ptr<BlobFinder> blobs;
  std::shared_ptr<const RejectionReadback> rejection;
  std::shared_ptr<BlobReadback> blobReadback;
  std::shared_ptr<const PlanePool> keptSource, keptLuminance, keptResponse, keptCandidates;
  std::shared_ptr<const CandidateMarker> candidateMarker;
  std::shared_ptr<FilterChain> chain;
};

}  // namespace glint
