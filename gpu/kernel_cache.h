// Kernels as the driver compiled them, kept from one run to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/vulkan.h"

namespace glint::gpu {

/// The folder of caches: $XDG_CACHE_HOME/glint or ~/.cache/glint; empty where
/// the environment names neither.
std::string userCacheFolder();

/// A VkPipelineCache, with a file in a folder for each device and driver. A file that is missing,
/// damaged or cannot be written costs the time to compile, and nothing else.
class KernelCache {
 public:
  /// `folder`: made when it is needed; empty: nothing is kept.
  KernelCache(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
              const std::string& folder);

  /// Writes the file whole, if there is anything new.
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  const vk::raii::PipelineCache& handle() const { return cache_; }
  const std::string& path() const { return path_; }  ///< empty: nothing is kept

 private:
  std::string path_;
  std::vector<uint8_t> kept_;  // what the file holds
  vk::raii::PipelineCache cache_ = nullptr;
};

}  // namespace glint::gpu
