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
  device,    ///< only kernels use it
  upload,    ///< mapped; the host writes, and kernels or copies read
  settings,  ///< mapped, close to the device; the host writes a little that kernels read often
  readback,  ///< mapped; kernels or copies write, and the host reads
};

/// Views of a buffer as texels (shaders/load.glsl). Null unless Device::wideLoads().
struct BufferViews {
  vk::BufferView loads;  ///< uvec4
  vk::BufferView words;  ///< uint
};

/// One Vulkan buffer with its own memory. The destructor frees it, and the caller has to make sure
/// that the device has finished with it. A buffer keeps the device alive.
class Buffer {
 public:
  /// `bytes` is at least 1. Throws DeviceMemoryError if the device has no room, or does not allow
  /// such a large storage buffer.
  Buffer(const Device& device, size_t bytes, MemoryUse use, const std::string& name);

  vk::Buffer handle() const { return *buffer_; }
  size_t size() const { return size_; }

  /// Returns a number that no other buffer or kernel of the device ever has. A handle, in contrast,
  /// may be used again.
  uint64_t number() const { return number_; }

  BufferViews views() const { return {*loads_, *words_}; }

  /// Returns the memory as the host sees it. It is empty for MemoryUse::device.
  std::span<std::byte> mapped() const { return mapped_; }

  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(mapped_.data()), mapped_.size() / sizeof(T)};
  }

 private:
  struct Memory {
    vk::raii::DeviceMemory handle;
    std::shared_ptr<const void> guard = {};  // destroyed first, because it checks the memory
  };

  std::shared_ptr<const void> device_;  // destroyed last
  size_t size_;
  uint64_t number_;
  vk::raii::Buffer buffer_ = nullptr;
  std::unique_ptr<Memory> memory_;
  vk::raii::BufferView loads_ = nullptr, words_ = nullptr;
  std::span<std::byte> mapped_;
};

}  // namespace glint::gpu
