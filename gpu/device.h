// A Vulkan device that can run Glint's kernels, and how it is chosen.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "config/error.h"
#include "gpu/kernel_cache.h"
#include "gpu/physical_devices.h"
#include "gpu/vulkan.h"

namespace glint::gpu {

/// The driver lost the device (VK_ERROR_DEVICE_LOST). Everything made with it can only be
/// destroyed. A new Device can be made.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// The device has no room for a buffer, or does not allow one so large: a smaller one may fit.
class DeviceMemoryError : public Error {
 public:
  using Error::Error;
};

/// The chosen device with one queue, which threads may share: see withQueue().
class Device {
 public:
  using Options = DeviceOptions;

  /// Throws Error when there is no driver, no device fits (with each one's reasons), an instance
  /// extension is missing, or `name` is unknown or refused.
  explicit Device(const Options& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Whoever holds this keeps the Vulkan device alive, and what was made with it usable, also once
  /// this object is gone. Buffers hold it: frames and planes may outlive the Device.
  std::shared_ptr<const void> keepAlive() const { return handles_; }

  /// All devices, usable or not. Empty where no driver is installed; throws Error where even
  /// the Vulkan loader is missing.
  static std::vector<DeviceInfo> list();

  const DeviceInfo& info() const { return info_; }
  const vk::raii::Device& handle() const { return handles_->device; }
  vk::Instance instance() const { return *handles_->instance; }
  vk::PhysicalDevice physical() const { return *handles_->physical; }
  const vk::PhysicalDeviceLimits& limits() const { return limits_; }
  uint32_t queueFamily() const { return queueFamily_; }

  /// Bits of a time stamp that the queue writes; 0: it has no time stamps.
  uint32_t timestampBits() const { return timestampBits_; }

  /// Invocations of a subgroup of every kernel.
  uint32_t subgroupSize() const { return subgroupSize_; }

  /// The least and the most that the device offers; where they differ, kernels require the size.
  std::pair<uint32_t, uint32_t> subgroupSizes() const { return subgroupSizes_; }

  /// Whether kernels are to read texel buffers, and write 64 bits at once: a CPU that has such
  /// integers.
  bool wideLoads() const { return wideLoads_; }

  /// Whether kernels may count in halves (float16).
  bool hasHalves() const { return hasHalves_; }

  /// Whether they may add up products of the bytes of words.
  bool hasByteProducts() const { return hasByteProducts_; }

  /// Whether kernels are to add and compare the bytes of a word at once: a GPU that has such
  /// products and halves.
  bool bytesAtOnce() const { return bytesAtOnce_; }

  /// Whether the workgroups of a dispatch start once those of all dispatches before it have, so
  /// that they may wait for these without a barrier. Vulkan does not tell: known of NVIDIA's GPUs.
  /// Not with validation, which knows barriers only.
  bool startsInOrder() const { return startsInOrder_; }

  const KernelCache& kernelCache() const { return *kernelCache_; }

  /// Whether host and device share one memory, so that nothing need be copied to it.
  bool unifiedMemory() const { return unifiedMemory_; }

  /// What all who use the device share: T(device, key), made when the first of them asks for it and
  /// kept as long as this object. Any thread; throws what its making throws.
  template <class T>
  const T& shared(uint32_t key) const {
    const std::lock_guard lock(sharedMutex_);
    std::shared_ptr<const void>& known = shared_[{typeid(T), key}];
    if (!known) known = std::make_shared<const T>(*this, key);
    return *static_cast<const T*>(known.get());
  }

  /// A number that nothing else on the device has. Any thread.
  uint64_t newNumber() const { return handles_->numbers++; }

  /// Index of a memory type among `allowed` (bits) that has `required`, and `preferred` if
  /// possible.
  uint32_t memoryType(uint32_t allowed, vk::MemoryPropertyFlags required,
                      vk::MemoryPropertyFlags preferred) const;

  /// Hands recorded command buffers to the queue; `timeline` reaches `value` when they are done.
  /// Any thread. Throws DeviceLost.
  void submit(const vk::ArrayProxy<const vk::CommandBuffer>& commands, vk::Semaphore timeline,
              uint64_t value) const;

  /// To be called last of all in a recording with time stamps or drawing. Mesa's llvmpipe frees
  /// what its threads still use otherwise: see docs/gpu.md. Elsewhere nothing is recorded.
  void holdFence(const vk::raii::CommandBuffer& commands) const;

  /// Calls action(const vk::raii::Queue&) while no other thread uses the queue, and returns what it
  /// returns. Keep it short: detection waits meanwhile. Throws DeviceLost.
  template <class Action>
  decltype(auto) withQueue(const Action& action) const {
    const std::lock_guard lock(handles_->queueMutex);
    return noticeLoss([&]() -> decltype(auto) { return action(handles_->queue); });
  }

  /// Calls `action`, and throws DeviceLost where Vulkan says that the device is lost.
  template <class Action>
  decltype(auto) noticeLoss(const Action& action) const {
    try {
      return action();
    } catch (const vk::DeviceLostError&) {
      throwLost();
    }
  }

  /// Gives an object a name in captures and validation messages.
  template <class Handle>
  void nameObject(const Handle& object, const std::string& name) const {
    nameObject(object.objectType,
               reinterpret_cast<uint64_t>(static_cast<typename Handle::CType>(*object)), name);
  }

  bool hasLabels() const { return hasLabels_; }

  /// Of the buffers; null unless they were asked for.
  Guards* guards() const { return handles_->guards.get(); }

  /// Warnings and errors of the validation layer since the device was made.
  uint32_t validationMessages() const;

 private:
  struct Messages {
    std::atomic<uint32_t> count = 0;
  };

  /// Shared with everything that lives on the device.
  struct Handles {
    Messages messages;  // outlives the messenger that reports into it
    vk::raii::Context context;
    vk::raii::Instance instance;
    vk::raii::DebugUtilsMessengerEXT messenger = nullptr;
    vk::raii::PhysicalDevice physical = nullptr;
    vk::raii::Device device = nullptr;
    vk::raii::Queue queue = nullptr;
    std::mutex queueMutex;
    std::unique_ptr<Guards> guards = {};
    vk::raii::QueryPool held = nullptr;  // time stamps of the latest submissions, on llvmpipe
    std::atomic<uint32_t> holds = 0;
    std::atomic<uint64_t> numbers = 0;
  };

  void listenToValidation();
  void choosePhysical(const Options& options);
  void chooseSubgroupSize(const Options& options);
  void makeDevice(const Options& options);
  void nameObject(vk::ObjectType type, uint64_t object, const std::string& name) const;
  [[noreturn]] void throwLost() const;

  std::shared_ptr<Handles> handles_;
  DeviceInfo info_;
  vk::PhysicalDeviceLimits limits_;
  vk::PhysicalDeviceMemoryProperties memory_;
  uint32_t queueFamily_ = 0;
  uint32_t timestampBits_ = 0;
  uint32_t subgroupSize_ = 0;
  std::pair<uint32_t, uint32_t> subgroupSizes_{};
  bool unifiedMemory_ = false;
  bool wideLoads_ = false;
  bool hasHalves_ = false;
  bool hasByteProducts_ = false;
  bool bytesAtOnce_ = false;
  bool startsInOrder_ = false;
  bool hasLabels_ = false;
  std::unique_ptr<KernelCache> kernelCache_;
  mutable std::mutex sharedMutex_;
  mutable std::map<std::pair<std::type_index, uint32_t>, std::shared_ptr<const void>>
      shared_;  // last
};

}  // namespace glint::gpu
