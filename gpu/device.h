// A Vulkan device that can run Glint's kernels, and how it is chosen.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The chosen device with one compute queue. Recording and submitting belong to one thread.
class Device {
 public:
  struct Options {
    std::string name;         ///< part of a name, or an index; empty: the first that can be used
    bool validation = false;  ///< with the validation layer, synchronisation validation included
  };

  /// Throws Error when there is no driver, no device fits (with each one's reasons), or `name` is
  /// unknown or refused.
  explicit Device(const Options& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// All devices, usable or not. Empty where no driver is installed; throws Error where even
  /// the Vulkan loader is missing.
  static std::vector<DeviceInfo> list();

  const DeviceInfo& info() const { return info_; }
  const vk::raii::Device& handle() const { return device_; }
  const vk::PhysicalDeviceLimits& limits() const { return limits_; }
  uint32_t queueFamily() const { return queueFamily_; }

  /// Invocations of a subgroup.
  uint32_t subgroupSize() const { return subgroupSize_; }

  /// Whether host and device share one memory, so that nothing need be copied to it.
  bool unifiedMemory() const { return unifiedMemory_; }

  /// Index of a memory type among `allowed` (bits) that has `required`, and `preferred` if
  /// possible.
  uint32_t memoryType(uint32_t allowed, vk::MemoryPropertyFlags required,
                      vk::MemoryPropertyFlags preferred) const;

  /// Hands a recorded command buffer to the queue; `timeline` reaches `value` when it is done.
  void submit(vk::CommandBuffer commands, vk::Semaphore timeline, uint64_t value) const;

  /// Gives an object a name in captures and validation messages.
  template <class Handle>
  void nameObject(const Handle& object, const std::string& name) const {
    nameObject(object.objectType,
               reinterpret_cast<uint64_t>(static_cast<typename Handle::CType>(*object)), name);
  }

  bool hasLabels() const { return hasLabels_; }

  /// Warnings and errors of the validation layer since the device was made.
  uint32_t validationMessages() const;

 private:
  void nameObject(vk::ObjectType type, uint64_t object, const std::string& name) const;

  struct Messages;  // outlives the messenger that reports into it
  std::unique_ptr<Messages> messages_;
  vk::raii::Context context_;
  vk::raii::Instance instance_;
  vk::raii::DebugUtilsMessengerEXT messenger_;
  vk::raii::PhysicalDevice physical_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  DeviceInfo info_;
  vk::PhysicalDeviceLimits limits_;
  vk::PhysicalDeviceMemoryProperties memory_;
  uint32_t queueFamily_ = 0;
  uint32_t subgroupSize_ = 0;
  bool unifiedMemory_ = false;
  bool hasLabels_ = false;
};

}  // namespace glint
