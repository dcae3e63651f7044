// The Vulkan device that runs Glint's kernels.
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

/// The error that the driver has lost the device (VK_ERROR_DEVICE_LOST). Everything made with it
/// can only be destroyed. A new Device can be made.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// The error that the device has no room for a buffer, or does not allow such a large one. A
/// smaller one may fit.
class DeviceMemoryError : public Error {
 public:
  using Error::Error;
};

/// The chosen device with one queue, which threads may share: see withQueue().
class Device {
 public:
  using Options = DeviceOptions;

  /// Throws Error if there is no driver, if no device can be used (with the reasons for each), if
  /// an instance extension is missing, or if the device called `name` cannot be used. Throws
  /// UsageError if there is no device of that name.
  explicit Device(const Options& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Returns an object that keeps the Vulkan device alive, and everything made with it usable, even
  /// after this Device is destroyed. Buffers hold such an object, so frames and planes may outlive
  /// the Device.
  std::shared_ptr<const void> keepAlive() const { return handles_; }

  /// Returns all devices, including those that cannot be used. If no driver is installed, the list
  /// is empty or Error is thrown, depending on the Vulkan loader. Throws Error if the loader is
  /// missing.
  static std::vector<DeviceInfo> list();

  const DeviceInfo& info() const { return info_; }
  const vk::raii::Device& handle() const { return handles_->device; }
  vk::Instance instance() const { return *handles_->instance; }
  vk::PhysicalDevice physical() const { return *handles_->physical; }
  const vk::PhysicalDeviceLimits& limits() const { return limits_; }
  uint32_t queueFamily() const { return queueFamily_; }

  /// Returns the number of valid bits of the queue's time stamps, or 0 if it has no time stamps.
  uint32_t timestampBits() const { return timestampBits_; }

  /// Returns the number of invocations of a subgroup, the same for every kernel.
  uint32_t subgroupSize() const { return subgroupSize_; }

  /// Returns the least and the greatest subgroup size that the device offers. If they differ,
  /// kernels must request subgroupSize().
  std::pair<uint32_t, uint32_t> subgroupSizes() const { return subgroupSizes_; }

  /// Returns true if kernels read planes as texel buffers and write 64 bits at once. This is so on
  /// CPUs with 64-bit integers.
  bool wideLoads() const { return wideLoads_; }

  /// Returns true if kernels may use half-precision floats (float16).
  bool hasHalves() const { return hasHalves_; }

  /// Returns true if kernels may use dot products of the bytes of words.
  bool hasByteProducts() const { return hasByteProducts_; }

  /// Returns true if kernels add and compare the bytes of a word at once. This is so on GPUs that
  /// have byte products and half-precision floats.
  bool bytesAtOnce() const { return bytesAtOnce_; }

  /// Returns true if the workgroups of a dispatch start only after those of all earlier dispatches
  /// have started, so that they may wait for these without a barrier. Vulkan does not report this;
  /// it is known of NVIDIA's GPUs. With validation the result is false, because validation only
  /// knows barriers.
  bool startsInOrder() const { return startsInOrder_; }

  /// Returns the filters that the host computes instead of kernels, or null: on a CPU those of the
  /// options, on other devices none.
  const HostFilters* hostFilters() const { return hostFilters_.get(); }

  const KernelCache& kernelCache() const { return *kernelCache_; }

  /// Returns true if host and device share the same memory, so that frames need not be copied.
  bool unifiedMemory() const { return unifiedMemory_; }

  /// Returns an object that all users of the device share: T(device, key). The first call makes it,
  /// and it is kept as long as this Device. Any thread may call this. Throws what the constructor
  /// of T throws.
  template <class T>
  const T& shared(uint32_t key) const {
    const std::lock_guard lock(sharedMutex_);
    std::shared_ptr<const void>& known = shared_[{typeid(T), key}];
    if (!known) known = std::make_shared<const T>(*this, key);
    return *static_cast<const T*>(known.get());
  }

  /// Returns a number that has not been returned before. Any thread may call this.
  uint64_t newNumber() const { return handles_->numbers++; }

  /// Returns the index of a memory type that has the `required` flags, and the `preferred` ones if
  /// possible. Only types whose bit in `allowed` is set are considered. Throws Error if there is
  /// none.
  uint32_t memoryType(uint32_t allowed, vk::MemoryPropertyFlags required,
                      vk::MemoryPropertyFlags preferred) const;

  /// Hands recorded command buffers to the queue. `timeline` reaches `value` when they are done.
  /// Any thread may call this. Throws DeviceLost.
  void submit(const vk::ArrayProxy<const vk::CommandBuffer>& commands, vk::Semaphore timeline,
              uint64_t value) const;

  /// Adds a command to a recording that has time stamps or draws. It must be the last one. Without
  /// it, Mesa's llvmpipe frees memory that its threads still use: see docs/gpu.md. On other devices
  /// this does nothing.
  void holdFence(const vk::raii::CommandBuffer& commands) const;

  /// Calls action(const vk::raii::Queue&) while no other thread uses the queue, and returns its
  /// result. The action must be short, because detection waits for it. Throws DeviceLost.
  template <class Action>
  decltype(auto) withQueue(const Action& action) const {
    const std::lock_guard lock(handles_->queueMutex);
    return noticeLoss([&]() -> decltype(auto) { return action(handles_->queue); });
  }

  /// Calls `action` and returns its result. Throws DeviceLost if Vulkan reports that the device is
  /// lost.
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

  /// Returns the guard words of the buffers, or null unless the options asked for them.
  Guards* guards() const { return handles_->guards.get(); }

  /// Returns the number of warnings and errors of the validation layer since the device was made.
  uint32_t validationMessages() const;

 private:
  struct Messages {
    std::atomic<uint32_t> count = 0;
  };

  /// The Vulkan objects, which are shared with everything that was made with the device.
  struct Handles {
    Messages messages;  // outlives the messenger, which counts in it
    vk::raii::Context context;
    vk::raii::Instance instance;
    vk::raii::DebugUtilsMessengerEXT messenger = nullptr;
    vk::raii::PhysicalDevice physical = nullptr;
    vk::raii::Device device = nullptr;
    vk::raii::Queue queue = nullptr;
    std::mutex queueMutex;
    std::unique_ptr<Guards> guards = {};
    vk::raii::QueryPool held = nullptr;  // time stamps of holdFence(), on llvmpipe
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
  std::shared_ptr<const HostFilters> hostFilters_;
  std::unique_ptr<KernelCache> kernelCache_;
  mutable std::mutex sharedMutex_;
  // Destroyed first, because the shared objects use the other members.
  mutable std::map<std::pair<std::type_index, uint32_t>, std::shared_ptr<const void>> shared_;
};

}  // namespace glint::gpu
