// A semaphore that tells how far the device has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "gpu/device.h"

namespace glint::gpu {

/// Its value grows with what the device has done. Keeps the Vulkan device alive.
struct Timeline {
  using Clock = std::chrono::steady_clock;

  explicit Timeline(const Device& device);

  /// Blocks until it has reached `value`, up to `spinUntil` without sleeping. Throws DeviceLost.
  void wait(const Device& on, uint64_t value, Clock::time_point spinUntil = {}) const;

  std::shared_ptr<const void> device;  // first: outlives the semaphore
  vk::raii::Semaphore semaphore;
};

}  // namespace glint::gpu
