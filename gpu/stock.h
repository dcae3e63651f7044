// Kernels and buffers that only some frames need: made when they are first wanted, and kept.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/blob_finder.h"
#include "gpu/blur.h"
#include "gpu/evidence.h"
#include "gpu/frame.h"
#include "gpu/frame_wish.h"
#include "gpu/passes.h"
#include "gpu/plane_keeper.h"

namespace glint {

class FilterChain;
class FilterKernels;

/// The masks of a session's cameras where kernels read them.
class PackedMasks {
 public:
  /// Throws Error when they do not fit the format.
  PackedMasks(const Device& device, const FrameFormat& format, const std::vector<LayerMask>& masks);

  PixelMask bits() const { return {&buffer_, pitch_}; }

  /// Pixels of a layer that are not masked.
  size_t measured(uint32_t layer) const { return measured_[layer]; }

 private:
  std::vector<size_t> measured_;
  uint32_t pitch_;
  Buffer buffer_;
};

/// What one frame takes from the stock, and holds while it is on the device. Null: not needed.
struct FrameKit {
  std::shared_ptr<const Buffer> inverted, response;  ///< planes
  std::shared_ptr<const Blur> blur;
  std::shared_ptr<const PackedMasks> masks;
  std::shared_ptr<BlobFinder> blobs;
  std::shared_ptr<const Evidence> evidence;
  std::shared_ptr<BlobEvidence> blobEvidence;
  std::shared_ptr<const PlanePool> keptSource, keptLuminance, keptResponse, keptCandidates;
  std::shared_ptr<const CandidateMarker> candidateMarker;
  std::shared_ptr<FilterChain> chain;
};

/// For frames of one format. Thread-safe.
class Stock {
 public:
  /// `passes` must outlive it.
  Stock(const Device& device, const FrameFormat& format, const Passes& passes);
  ~Stock();

  /// The kit of a frame; empty if something of it must be made first.
  std::optional<FrameKit> find(const FrameWish& wish) const;

  /// The same, and makes what is missing: that takes its time, in which find() goes on. Throws
  /// Error when the device has no room, or masks do not fit; what was there stays.
  FrameKit make(const FrameWish& wish);

 private:
  template <class Get>
  FrameKit assemble(const FrameWish& wish, const Get& get) const;
  template <class Get>
  void assembleKept(const PlaneSet& planes, const Get& get, FrameKit& kit) const;
  std::shared_ptr<const PackedMasks> findMasks(const Masks& masks) const;
  std::shared_ptr<const PackedMasks> makeMasks(const Masks& masks);

  std::shared_ptr<FilterChain> findChain(const FrameWish& wish) const;
  std::shared_ptr<FilterChain> makeChain(const FrameWish& wish);

  const Device& device_;
  FrameFormat format_;
  const Passes& passes_;
  BlurShelf blurs_;
  std::unique_ptr<FilterKernels> filterKernels_;
  std::mutex making_;                                 // one thread at a time makes
  mutable std::mutex mutex_;                          // of the next three
  FrameKit shelf_;                                    // all but blur, masks and chain
  std::vector<std::shared_ptr<FilterChain>> chains_;  // the oldest first
  std::vector<std::pair<Masks, std::shared_ptr<const PackedMasks>>> masks_;  // the oldest first
};

}  // namespace glint
