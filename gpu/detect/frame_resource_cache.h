// Makes the resources of frames when they are first needed, and keeps them.
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

/// The resources for frames of one format. Thread-safe.
class FrameResourceCache {
 public:
  /// `passes` must outlive it.
  FrameResourceCache(const Device& device, const FrameFormat& format, const Passes& passes);
  ~FrameResourceCache();

  /// Returns the resources for a config, or nothing if some of them must be made first.
  std::optional<FrameResources> find(const DetectionConfig& config) const;

  /// Returns the resources for a config, and makes those that are missing. This may take long, but
  /// does not block find(). Throws Error if the device has no room or the masks do not fit.
  /// Existing resources are kept then.
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
  std::mutex making_;                                 // held by the thread that makes resources
  mutable std::mutex mutex_;                          // guards the next three members
  FrameResources made_;                               // all except blur, masks and chain
  std::vector<std::shared_ptr<FilterChain>> chains_;  // the oldest first
  std::vector<std::pair<Masks, std::shared_ptr<const PackedMasks>>> masks_;  // the oldest first
};

}  // namespace glint::gpu
