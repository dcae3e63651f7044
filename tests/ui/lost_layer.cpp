// A Vulkan layer that causes faults.
//
// It loses a device. Once the file that GLINT_LOSE names exists, the layer removes the file. From
// then on, every submission to the device that was about to be used returns VK_ERROR_DEVICE_LOST,
// and so does every wait on one of its semaphores once the running work is done. All code of Glint
// runs as it would; the test does not show what a driver does with a device that is really lost.
//
// It loses swapchains. Once the file that GLINT_SPOIL names contains "acquire" or "present" and a
// word for the result, the layer removes the file. The next picture that is acquired or presented
// then has that result.
//
// It is slow. Presenting a picture takes GLINT_SLOW milliseconds longer.
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace {

struct DeviceTable {
  PFN_vkGetDeviceProcAddr next = nullptr;
  VkDevice device = VK_NULL_HANDLE;
  bool lost = false;
};

std::mutex mutex;
std::map<void*, PFN_vkGetInstanceProcAddr> instances;  // functions by dispatch key
std::map<void*, DeviceTable> devices;

/// Returns the loader's table, which a device and its queues share.
void* keyOf(void* handle) {
  return *static_cast<void**>(handle);
}

/// Returns true if the device is lost. Loses it now if the file exists.
bool isLost(void* handle) {
  const std::lock_guard lock(mutex);
  DeviceTable& table = devices[keyOf(handle)];
  const char* file = std::getenv("GLINT_LOSE");
  if (!table.lost && file && unlink(file) == 0) table.lost = true;
  return table.lost;
}

/// Returns the function `name` of the layer below, for a device or its queue.
template <class Function>
Function nextOf(void* handle, const char* name) {
  const std::lock_guard lock(mutex);
  const DeviceTable& table = devices[keyOf(handle)];
  return reinterpret_cast<Function>(table.next(table.device, name));
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
  if (isLost(queue)) return VK_ERROR_DEVICE_LOST;
  return nextOf<PFN_vkQueueSubmit>(queue, "vkQueueSubmit")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL waitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info,
                                              uint64_t timeout) {
  const auto result =
      nextOf<PFN_vkWaitSemaphores>(device, "vkWaitSemaphores")(device, info, timeout);
  return isLost(device) ? VK_ERROR_DEVICE_LOST : result;
}

/// Returns the result that the next call of a kind shall have instead of its own; VK_SUCCESS if its
/// own.
VkResult spoiled(const char* call) {
  constexpr std::array<std::pair<const char*, VkResult>, 3> kAnswers{
      {{"out_of_date", VK_ERROR_OUT_OF_DATE_KHR},
       {"suboptimal", VK_SUBOPTIMAL_KHR},
       {"surface_lost", VK_ERROR_SURFACE_LOST_KHR}}};
  const char* file = std::getenv("GLINT_SPOIL");
  if (!file) return VK_SUCCESS;
  std::string wanted, answer;
  std::ifstream(file) >> wanted >> answer;
  if (wanted != call || unlink(file) != 0) return VK_SUCCESS;
  for (const auto& [word, result] : kAnswers)
    if (answer == word) return result;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL acquireNextImage(VkDevice device, VkSwapchainKHR swapchain,
                                                uint64_t timeout, VkSemaphore semaphore,
                                                VkFence fence, uint32_t* image) {
  // No picture is acquired.
  if (const VkResult result = spoiled("acquire"); result < 0) return result;
  return nextOf<PFN_vkAcquireNextImageKHR>(device, "vkAcquireNextImageKHR")(
      device, swapchain, timeout, semaphore, fence, image);
}

/// Calls the layer below in any case, because Vulkan waits for the semaphores even if presenting
/// fails.
VKAPI_ATTR VkResult VKAPI_CALL queuePresent(VkQueue queue, const VkPresentInfoKHR* info) {
  const VkResult result = nextOf<PFN_vkQueuePresentKHR>(queue, "vkQueuePresentKHR")(queue, info);
  if (const char* slow = std::getenv("GLINT_SLOW"))
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(slow)));
  const VkResult instead = spoiled("present");
  return instead == VK_SUCCESS ? result : instead;
}

/// Returns the link to the layer below, in the chain that the loader hands on.
template <class Info>
Info* linkOf(const void* chain, VkStructureType type) {
  auto* info = const_cast<Info*>(static_cast<const Info*>(chain));
  while (info && !(info->sType == type && info->function == VK_LAYER_LINK_INFO))
    info = const_cast<Info*>(static_cast<const Info*>(info->pNext));
  return info;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* create,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  auto* link = linkOf<VkLayerInstanceCreateInfo>(create->pNext,
                                                 VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  const auto next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto make = reinterpret_cast<PFN_vkCreateInstance>(next(nullptr, "vkCreateInstance"));
  const VkResult result = make(create, allocator, instance);
  const std::lock_guard lock(mutex);
  if (result == VK_SUCCESS) instances[keyOf(*instance)] = next;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* create,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device) {
  auto* link =
      linkOf<VkLayerDeviceCreateInfo>(create->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const auto nextInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto make = reinterpret_cast<PFN_vkCreateDevice>(nextInstance(nullptr, "vkCreateDevice"));
  const VkResult result = make(physical, create, allocator, device);
  const std::lock_guard lock(mutex);
  if (result == VK_SUCCESS) devices[keyOf(*device)] = {next, *device};
  return result;
}

PFN_vkVoidFunction own(const char* name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceProc(VkDevice device, const char* name) {
  if (const auto function = own(name)) return function;
  const std::lock_guard lock(mutex);
  return devices[keyOf(device)].next(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceProc(VkInstance instance, const char* name) {
  if (const auto function = own(name)) return function;
  if (!instance) return nullptr;
  const std::lock_guard lock(mutex);
  return instances[keyOf(instance)](instance, name);
}

PFN_vkVoidFunction own(const char* name) {
  struct Entry {
    const char* name;
    PFN_vkVoidFunction function;
  };
  const Entry entries[] = {
      {"vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(createInstance)},
      {"vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(createDevice)},
      {"vkGetInstanceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(instanceProc)},
      {"vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(deviceProc)},
      {"vkAcquireNextImageKHR", reinterpret_cast<PFN_vkVoidFunction>(acquireNextImage)},
      {"vkQueuePresentKHR", reinterpret_cast<PFN_vkVoidFunction>(queuePresent)},
      {"vkQueueSubmit", reinterpret_cast<PFN_vkVoidFunction>(submit)},
      {"vkWaitSemaphores", reinterpret_cast<PFN_vkVoidFunction>(waitSemaphores)}};
  for (const Entry& entry : entries)
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  return nullptr;
}

}  // namespace

extern "C" VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = instanceProc;
  version->pfnGetDeviceProcAddr = deviceProc;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
