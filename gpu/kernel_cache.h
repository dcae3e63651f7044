// A cache of compiled kernels on the disk, which is kept from one run to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/vulkan.h"

namespace glint::gpu {

/// Returns the folder for caches: $XDG_CACHE_HOME/glint or ~/.cache/glint. It is empty if the
/// environment sets neither.
std::string userCacheFolder();

/// A VkPipelineCache that is stored in a file, one for each device and driver. If a file is missing
/// or damaged or cannot be written, kernels are compiled again, which only costs time.
class KernelCache {
 public:
  /// `folder` is made when it is needed. If it is empty, nothing is stored.
  KernelCache(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
              const std::string& folder);

  /// Writes the file if there is anything new. Readers never see an incomplete file.
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  const vk::raii::PipelineCache& handle() const { return cache_; }
  const std::string& path() const { return path_; }  ///< path of the file; empty: nothing is stored

 private:
  std::string path_;
  std::vector<uint8_t> kept_;  // contents of the file
  vk::raii::PipelineCache cache_ = nullptr;
};

}  // namespace glint::gpu
