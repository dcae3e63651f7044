// The devices on this machine, the requirements on one, why each is refused, and which is chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/guards.h"
#include "gpu/kernel_cache.h"
#include "gpu/vulkan.h"

namespace glint::gpu {

/// One physical device as the driver presents it.
struct DeviceInfo {
  uint32_t index = 0;  ///< in the order of preference: discrete, integrated, virtual, CPU
  std::string name;
  std::string type;                   ///< "discrete", "integrated", "virtual", "cpu" or "other"
  std::string driver;                 ///< name and version
  std::vector<std::string> refusals;  ///< why Glint cannot use it; empty if it can
};

/// Whether a queue family of a device can present to the screen, as
/// glfwGetPhysicalDevicePresentationSupport reports it.
using CanPresent = std::function<bool(VkInstance, VkPhysicalDevice, uint32_t family)>;

struct DeviceOptions {
  std::string name;         ///< part of a name, or an index; empty: the first that can be used
  bool validation = false;  ///< with the validation layer, synchronisation validation included
  /// Extensions that others need, such as a window; devices without them are refused.
  std::vector<std::string> instanceExtensions = {}, deviceExtensions = {};
  /// If given, the queue can draw and present, too; devices without such a queue are refused.
  CanPresent canPresent = {};
  /// Where compiled kernels are kept from one run to the next; empty: nowhere.
  std::string cacheFolder = userCacheFolder();
  /// Invocations of a subgroup, where the device leaves a choice; 0: as the device prefers. See
  /// subgroupSizes().
  uint32_t subgroupSize = 0;
  /// For tests: whether Device::bytesAtOnce(), if it can be. Empty: on GPUs.
  std::optional<bool> bytesAtOnce = std::nullopt;
  /// For tests: whether Device::wideLoads(), if it can be.
  bool wideLoads = true;
  /// For tests: buffers get guard words, which are looked at after every submission and when a
  /// buffer is destroyed. They then lie where the host can read them.
  GuardReport wroteBeside = {};
  /// With them: passes run one by one, and the words are looked at after each, which names it.
  bool guardsEveryPass = false;
};

bool contains(const std::vector<vk::ExtensionProperties>& all, std::string_view name);

/// Discrete, integrated, virtual, CPU; empty where there is a loader without a driver.
std::vector<vk::raii::PhysicalDevice> inOrderOfPreference(const vk::raii::Instance& instance);

/// The first queue family that computes and, if asked for, draws and presents.
std::optional<uint32_t> chooseFamily(const vk::raii::Instance& instance,
                                     const vk::raii::PhysicalDevice& device,
                                     const CanPresent& canPresent);

/// Each with the reasons why it cannot be used as `options` ask.
DeviceInfo describeDevice(const vk::raii::Instance& instance,
                          const vk::raii::PhysicalDevice& device, uint32_t index,
                          const DeviceOptions& options);

/// The position in `devices` of the one asked for (part of a name, or an index), or of the best.
/// Throws Error when it is refused or none can be used, UsageError when there is none of that name.
size_t chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name);

}  // namespace glint::gpu
