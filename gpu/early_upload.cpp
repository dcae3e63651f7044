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
    // The device is lost: nothing is in flight any more.
  }
}

/// The device may be kept alive by the timeline alone.
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
    if (sent_ == 0) wait();  // for a frame that nobody used
    std::vector<vk::CommandBuffer> commands;
    for (size_t i = sent_; i < whole; ++i) commands.push_back(*copies_[i]);
    device_.submit(commands, *timeline_.semaphore, submitted_ + 1);
    ++submitted_;
    sent_ = whole;
  } catch (const std::exception&) {
    // Who uses the frame copies all of it, and is told where the device is lost.
  }
}

}  // namespace glint::gpu
