#include "tests/gpu/device_loss.h"

namespace glint::test {
namespace {

PFN_vkWaitSemaphores realWait = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL submitLost(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

VKAPI_ATTR VkResult VKAPI_CALL waitLost(VkDevice device, const VkSemaphoreWaitInfo* info,
                                        uint64_t timeout) {
  realWait(device, info, timeout);
  return VK_ERROR_DEVICE_LOST;
}

}  // namespace

void lose(const gpu::Device& device) {
  // The table belongs to the device, and is not itself const.
  auto& table = const_cast<vk::raii::DeviceDispatcher&>(*device.handle().getDispatcher());
  if (table.vkWaitSemaphores != waitLost) realWait = table.vkWaitSemaphores;
  table.vkQueueSubmit = submitLost;
  table.vkWaitSemaphores = waitLost;
}

}  // namespace glint::test
