// Lists the Vulkan devices of this machine, checks if each can be used, and chooses one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/guards.h"
#include "gpu/kernel_cache.h"
#include "gpu/vulkan.h"

namespace glint::gpu {

class HostFilters;

/// One physical device as the driver presents it.
struct DeviceInfo {
  uint32_t index = 0;  ///< position in the order of preference: discrete, integrated, virtual, CPU
  std::string name;
  std::string type;                   ///< "discrete", "integrated", "virtual", "cpu" or "other"
  std::string driver;                 ///< name and version
  std::vector<std::string> refusals;  ///< reasons why Glint cannot use it; empty if it can
};

/// A function that returns true if a queue family of a device can present to the screen, such as
/// glfwGetPhysicalDevicePresentationSupport.
using CanPresent = std::function<bool(VkInstance, VkPhysicalDevice, uint32_t family)>;

struct DeviceOptions {
  std::string name;         ///< part of a name, or an index; empty: the first that can be used
  bool validation = false;  ///< true: use the validation layer, with synchronisation validation
  /// Extensions that others need, such as a window. Devices without them are refused.
  std::vector<std::string> instanceExtensions = {}, deviceExtensions = {};
  /// If set, the queue must also be able to draw and present. Other devices are refused.
  CanPresent canPresent = {};
  /// The folder in which compiled kernels are kept from one run to the next; empty: none.
  std::string cacheFolder = userCacheFolder();
  /// Filters that the host computes if the device is a CPU; null: none.
  std::shared_ptr<const HostFilters> hostFilters = {};
  /// Invocations of a subgroup, if the device offers several sizes; 0: the size that it prefers.
  /// See Device::subgroupSizes().
  uint32_t subgroupSize = 0;
  /// For tests: the value of Device::bytesAtOnce(), if the device allows it. Empty: true on GPUs.
  std::optional<bool> bytesAtOnce = std::nullopt;
  /// For tests: the value of Device::wideLoads(), if the device allows it.
  bool wideLoads = true;
  /// For tests: if set, buffers get guard words (gpu/guards.h). They are checked after every
  /// submission and when a buffer is destroyed. All buffers are then in memory that the host reads.
  GuardReport wroteBeside = {};
  /// True: with guard words, passes run one by one, and the words are checked after each pass.
  bool guardsEveryPass = false;
};

/// Returns true if an extension with this name is in the list.
bool contains(const std::vector<vk::ExtensionProperties>& all, std::string_view name);

/// Returns all devices in the order discrete, integrated, virtual, CPU. The list is empty if there
/// is a loader without a driver.
std::vector<vk::raii::PhysicalDevice> inOrderOfPreference(const vk::raii::Instance& instance);

/// Returns the first queue family that can compute and, if `canPresent` is set, draw and present.
std::optional<uint32_t> chooseFamily(const vk::raii::Instance& instance,
                                     const vk::raii::PhysicalDevice& device,
                                     const CanPresent& canPresent);

/// Describes a device, with the reasons why it cannot be used with these options.
DeviceInfo describeDevice(const vk::raii::Instance& instance,
                          const vk::raii::PhysicalDevice& device, uint32_t index,
                          const DeviceOptions& options);

/// Returns the position in `devices` of the one called `name` (part of a name, or an index), or of
/// the first usable one if `name` is empty. Throws Error if it is refused or none can be used, and
/// UsageError if there is none of that name.
size_t chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name);

}  // namespace glint::gpu
