// A block of memory that kernels read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gpu/device.h"

namespace glint::gpu {

enum class MemoryUse {
  device,    ///< kernels only
  upload,    ///< mapped; the host writes, kernels or copies read
  settings,  ///< mapped; the host writes a little that kernels read often: close to the device
  readback,  ///< mapped; kernels or copies write, the host reads
};

/// A buffer as texels (shaders/load.glsl), where Device::wideLoads(); else null.
struct BufferViews {
  vk::BufferView loads;  ///< uvec4
  vk::BufferView words;  ///< uint
};

/// One Vulkan buffer with its own memory. Freed when it goes out of scope; the caller makes sure
/// that the device has finished with it. Keeps the device alive.
class Buffer {
 public:
  /// `bytes` >= 1. Throws Error when the device has no room or allows no storage buffer so large.
  Buffer(const Device& device, size_t bytes, MemoryUse use, const std::string& name);

  vk::Buffer handle() const { return *buffer_; }
  size_t size() const { return size_; }

  /// Of nothing else on the device, unlike the handle also later.
  uint64_t number() const { return number_; }

  BufferViews views() const { return {*loads_, *words_}; }

  /// The host's view; empty for MemoryUse::device.
  std::span<std::byte> mapped() const { return mapped_; }

  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(mapped_.data()), mapped_.size() / sizeof(T)};
  }

 private:
  struct Memory {
    vk::raii::DeviceMemory handle;
    std::shared_ptr<const void> guard = {};  // last: checks the memory again
  };

  std::shared_ptr<const void> device_;  // first: outlives the rest
  size_t size_;
  uint64_t number_;
  vk::raii::Buffer buffer_ = nullptr;
  std::unique_ptr<Memory> memory_;
  vk::raii::BufferView loads_ = nullptr, words_ = nullptr;
  std::span<std::byte> mapped_;
};

}  // namespace glint::gpu
