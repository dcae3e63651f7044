// What is asked of a Vulkan device, and what there is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/kernel_cache.h"
#include "gpu/vulkan.h"

namespace glint {

/// One physical device as the driver presents it.
struct DeviceInfo {
  uint32_t index = 0;  ///< in the order of preference: discrete, integrated, virtual, CPU
  std::string name;
  std::string type;                   ///< "discrete", "integrated", "virtual", "cpu" or "other"
  std::string driver;                 ///< name and version
  std::vector<std::string> refusals;  ///< why Glint cannot use it; empty if it can
};

/// Whether a queue family of a device can present to the screen, as
/// glfwGetPhysicalDevicePresentationSupport tells it.
using CanPresent = std::function<bool(VkInstance, VkPhysicalDevice, uint32_t family)>;

struct DeviceOptions {
  std::string name;         ///< part of a name, or an index; empty: the first that can be used
  bool validation = false;  ///< with the validation layer, synchronisation validation included
  /// That someone else needs, such as a window; devices without them are refused.
  std::vector<std::string> instanceExtensions = {}, deviceExtensions = {};
  /// If given, the queue can draw and present, too; devices without such a queue are refused.
  CanPresent canPresent = {};
  /// Where compiled kernels are kept from one run to the next; empty: nowhere.
  std::string cacheFolder = userCacheFolder();
  /// Invocations of a subgroup, where the device leaves a choice; 0: as the device prefers. See
  /// subgroupSizes().
  uint32_t subgroupSize = 0;
};

}  // namespace glint
