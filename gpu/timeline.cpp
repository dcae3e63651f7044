#include "gpu/timeline.h"

#include <thread>

#include "config/error.h"

namespace glint::gpu {

Timeline::Timeline(const Device& device_) : device(device_.keepAlive()), semaphore(nullptr) {
  const vk::SemaphoreTypeCreateInfo type{.semaphoreType = vk::SemaphoreType::eTimeline};
  semaphore = {device_.handle(), vk::SemaphoreCreateInfo{.pNext = &type}};
}

void Timeline::wait(const Device& on, uint64_t value, Clock::time_point spinUntil) const {
  vk::SemaphoreWaitInfo info{};
  const vk::Semaphore handle = *semaphore;
  info.setSemaphores(handle);
  info.setValues(value);
  on.noticeLoss([&] {
    while (Clock::now() < spinUntil) {
      if (semaphore.getCounterValue() >= value) return;
      std::this_thread::yield();
    }
    if (on.handle().waitSemaphores(info, UINT64_MAX) != vk::Result::eSuccess)
      throw Error("the device '" + on.info().name + "' stopped answering");
  });
}

void Timeline::set(const Device& on, uint64_t value) const {
  on.noticeLoss([&] { on.handle().signalSemaphore({.semaphore = *semaphore, .value = value}); });
}

}  // namespace glint::gpu
