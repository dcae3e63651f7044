#include "gpu/early_upload.h"

#include <algorithm>
#include <exception>

namespace glint::gpu {

EarlyUpload::EarlyUpload(const Device& device, const Buffer& from, size_t bytes, size_t piece)
    : device_(device),
      timeline_(device),
      buffer_(device, bytes, MemoryUse::device, "frame uploaded early"),
      piece_(piece),
      pool_(device.handle(), vk::CommandPoolCreateInfo{.queueFamilyIndex = device.queueFamily()}) {
  const auto pieces = static_cast<uint32_t>((bytes - 1) / piece);
  if (pieces == 0) return;
  copies_ = vk::raii::CommandBuffers(
      device.handle(), vk::CommandBufferAllocateInfo{.commandPool = *pool_,
                                                     .level = vk::CommandBufferLevel::ePrimary,
                                                     .commandBufferCount = pieces});
  for (size_t i = 0; i < pieces; ++i) {
    copies_[i].begin(vk::CommandBufferBeginInfo{});
    copies_[i].copyBuffer(
        from.handle(), buffer_.handle(),
        vk::BufferCopy{.srcOffset = i * piece, .dstOffset = i * piece, .size = piece});
    copies_[i].end();
  }
}

EarlyUpload::~EarlyUpload() {
  try {
    wait();
  } catch (const std::exception&) {
    // The device is lost, so no copy is in flight any more.
  }
}

/// Waits for all copies. It uses no member of device_, because the destructor calls it when only
/// the timeline may keep the Vulkan device alive.
void EarlyUpload::wait() const {
  if (timeline_.semaphore.getCounterValue() >= submitted_) return;
  const vk::Semaphore semaphore = *timeline_.semaphore;
  vk::SemaphoreWaitInfo info{};
  info.setSemaphores(semaphore);
  info.setValues(submitted_);
  const vk::Device device = timeline_.semaphore.getDevice();
  static_cast<void>(device.waitSemaphores(info, UINT64_MAX, *timeline_.semaphore.getDispatcher()));
}

void EarlyUpload::written(size_t bytes) noexcept {
  const size_t whole = std::min(bytes / piece_, copies_.size());
  if (whole <= sent_) return;
  try {
    if (sent_ == 0)
      wait();  // the previous frame may not have been used, so nobody has waited for it
    std::vector<vk::CommandBuffer> commands;
    for (size_t i = sent_; i < whole; ++i) commands.push_back(*copies_[i]);
    device_.submit(commands, *timeline_.semaphore, submitted_ + 1);
    ++submitted_;
    sent_ = whole;
  } catch (const std::exception&) {
    // The user of the frame copies the rest, and gets the error if the device is lost.
  }
}

}  // namespace glint::gpu
