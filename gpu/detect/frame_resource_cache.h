// Makes the resources of frames when they are first wanted, and keeps them.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/detect/blur.h"
#include "gpu/detect/detection_config.h"
#include "gpu/detect/frame_in_flight.h"
#include "gpu/frame.h"
#include "gpu/passes.h"

namespace glint::gpu {

class FilterKernels;

/// For frames of one format. Thread-safe.
class FrameResourceCache {
 public:
  /// `passes` must outlive it.
  FrameResourceCache(const Device& device, const FrameFormat& format, const Passes& passes);
  ~FrameResourceCache();

  /// Those of a frame; empty if something of it must be made first.
  std::optional<FrameResources> find(const DetectionConfig& config) const;

  /// The same, and makes what is missing: that takes its time, in which find() goes on. Throws
  /// Error when the device has no room, or masks do not fit; what was there stays.
  FrameResources make(const DetectionConfig& config);

 private:
  template <class Get>
  FrameResources assemble(const DetectionConfig& config, const Get& get) const;
  template <class Get>
  void assembleKept(const PlaneSet& planes, const Get& get, FrameResources& resources) const;
  std::shared_ptr<const PackedMasks> findMasks(const Masks& masks) const;
  std::shared_ptr<const PackedMasks> makeMasks(const Masks& masks);

  std::shared_ptr<FilterChain> findChain(const DetectionConfig& config) const;
  std::shared_ptr<FilterChain> makeChain(const DetectionConfig& config);

  const Device& device_;
  FrameFormat format_;
  const Passes& passes_;
  BlurCache blurs_;
  std::unique_ptr<FilterKernels> filterKernels_;
  std::mutex making_;                                 // one thread at a time makes
  mutable std::mutex mutex_;                          // of the next three
  FrameResources made_;                               // all but blur, masks and chain
  std::vector<std::shared_ptr<FilterChain>> chains_;  // the oldest first
  std::vector<std::pair<Masks, std::shared_ptr<const PackedMasks>>> masks_;  // the oldest first
};

}  // namespace glint::gpu
