#include "gpu/buffer.h"

#include <algorithm>

#include "gpu/device.h"

namespace glint::gpu {
namespace {

vk::MemoryPropertyFlags required(MemoryUse use) {
  using Flag = vk::MemoryPropertyFlagBits;
  return use == MemoryUse::device ? vk::MemoryPropertyFlags{}
                                  : Flag::eHostVisible | Flag::eHostCoherent;
}

vk::MemoryPropertyFlags preferred(MemoryUse use) {
  using Flag = vk::MemoryPropertyFlagBits;
  // Uploads are cached, too, because pictures and overlays read the frame from them.
  const bool close = use == MemoryUse::device || use == MemoryUse::settings;
  return close ? Flag::eDeviceLocal : Flag::eHostCached;
}

[[noreturn]] void refuse(const Device& device, size_t bytes, const std::string& name) {
  throw DeviceMemoryError(name + " needs " + std::to_string((bytes + (1 << 20) - 1) >> 20) +
                          " MiB, more than the device '" + device.info().name +
                          "' gives; use smaller frames or fewer cameras");
}

}  // namespace

Buffer::Buffer(const Device& device, size_t bytes, MemoryUse use, const std::string& name)
    : device_(device.keepAlive()), size_((bytes + 15) / 16 * 16), number_(device.newNumber()) {
  if (size_ > device.limits().maxStorageBufferRange) refuse(device, size_, name);
  using Usage = vk::BufferUsageFlagBits;
  auto usage =
      Usage::eStorageBuffer | Usage::eTransferSrc | Usage::eTransferDst | Usage::eIndirectBuffer;
  if (device.wideLoads()) usage |= Usage::eUniformTexelBuffer | Usage::eStorageTexelBuffer;
  Guards* const guards = device.guards();
  const size_t given = size_ + (guards != nullptr ? Guards::kBytes : 0);
  if (given <= device.limits().maxUniformBufferRange) usage |= Usage::eUniformBuffer;
  try {
    buffer_ = {device.handle(), vk::BufferCreateInfo{.size = given, .usage = usage}};
    device.nameObject(buffer_, name);
    const auto needs = buffer_.getMemoryRequirements();
    const size_t before = guards != nullptr ? std::max(Guards::kBytes, needs.alignment) : 0;
    const bool seen = use != MemoryUse::device || guards != nullptr;
    const uint32_t type = device.memoryType(
        needs.memoryTypeBits, required(seen ? MemoryUse::upload : use), preferred(use));
    memory_.reset(
        new Memory{{device.handle(), vk::MemoryAllocateInfo{.allocationSize = before + needs.size,
                                                            .memoryTypeIndex = type}}});
    buffer_.bindMemory(*memory_->handle, before);
    if (device.wideLoads()) {
      vk::BufferViewCreateInfo view{
          .buffer = *buffer_, .format = vk::Format::eR32G32B32A32Uint, .range = size_};
      loads_ = {device.handle(), view};
      view.format = vk::Format::eR32Uint;
      words_ = {device.handle(), view};
    }
    if (!seen) return;
    auto* const start = static_cast<std::byte*>(memory_->handle.mapMemory(0, VK_WHOLE_SIZE));
    if (use != MemoryUse::device) mapped_ = {start + before, size_};
    if (guards != nullptr)
      memory_->guard =
          guards->watch({start + before - Guards::kBytes, given + Guards::kBytes}, name);
  } catch (const vk::OutOfDeviceMemoryError&) {
    refuse(device, size_, name);
  } catch (const vk::OutOfHostMemoryError&) {
    refuse(device, size_, name);
  }
}

}  // namespace glint::gpu
