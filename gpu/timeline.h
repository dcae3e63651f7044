// A semaphore whose value shows how much of the submitted work the device has done.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "gpu/device.h"

namespace glint::gpu {

/// A timeline semaphore. It keeps the Vulkan device alive.
struct Timeline {
  using Clock = std::chrono::steady_clock;

  explicit Timeline(const Device& device);

  /// Blocks until the semaphore has reached `value`. It does not sleep before `spinUntil`. Throws
  /// DeviceLost.
  void wait(const Device& on, uint64_t value, Clock::time_point spinUntil = {}) const;

  /// Gives the semaphore a value that is greater than its present one. Throws DeviceLost.
  void set(const Device& on, uint64_t value) const;

  std::shared_ptr<const void> device;  // destroyed after the semaphore
  vk::raii::Semaphore semaphore;
};

}  // namespace glint::gpu
