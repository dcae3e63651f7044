#include "gpu/physical_devices.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "config/error.h"

namespace glint::gpu {
namespace {

int preference(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return 0;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return 1;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return 2;
    case vk::PhysicalDeviceType::eCpu:
      return 3;
    default:
      return 4;
  }
}

std::vector<std::string> refusalsOf(const vk::raii::Instance& instance,
                                    const vk::raii::PhysicalDevice& device,
                                    const DeviceOptions& options) {
  std::vector<std::string> refusals;
  const auto properties = device.getProperties();
  if (properties.apiVersion < VK_API_VERSION_1_2) {
    refusals.emplace_back("it offers less than Vulkan 1.2");
    return refusals;
  }
  if (!chooseFamily(instance, device, {})) {
    refusals.emplace_back("it has no compute queue");
  } else if (!chooseFamily(instance, device, options.canPresent)) {
    refusals.emplace_back("it has no queue that computes and can show pictures here");
  }
  const auto offered = device.enumerateDeviceExtensionProperties();
  for (const std::string& name : options.deviceExtensions) {
    if (!contains(offered, name)) refusals.push_back("it does not offer " + name);
  }
  const auto subgroup =
      device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceSubgroupProperties>()
          .get<vk::PhysicalDeviceSubgroupProperties>();
  using Feature = vk::SubgroupFeatureFlagBits;
  const auto needed = Feature::eBasic | Feature::eArithmetic | Feature::eShuffle | Feature::eVote;
  if ((subgroup.supportedOperations & needed) != needed ||
      !(subgroup.supportedStages & vk::ShaderStageFlagBits::eCompute)) {
    refusals.emplace_back("it has no subgroup arithmetic, shuffles and votes in compute shaders");
  }
  const auto features =
      device
          .getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceTimelineSemaphoreFeatures>()
          .get<vk::PhysicalDeviceTimelineSemaphoreFeatures>();
  if (!features.timelineSemaphore) refusals.emplace_back("it has no timeline semaphores");
  if (properties.limits.maxComputeWorkGroupInvocations < 256) {
    refusals.emplace_back("its workgroups hold fewer than 256 invocations");
  }
  if (properties.limits.maxComputeSharedMemorySize < 24576) {
    refusals.emplace_back("its workgroups share less than 24 KiB of memory");
  }
  return refusals;
}

bool isIndex(const std::string& text, uint32_t& index) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size();
}

std::string reasons(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const auto& device : devices) {
    text += (text.empty() ? "" : "; ") + std::to_string(device.index) + " '" + device.name + "'";
    for (const auto& refusal : device.refusals) text += ", but " + refusal;
  }
  return text;
}

}  // namespace

bool contains(const std::vector<vk::ExtensionProperties>& all, std::string_view name) {
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& extension) { return name == extension.extensionName.data(); });
}

std::vector<vk::raii::PhysicalDevice> inOrderOfPreference(const vk::raii::Instance& instance) {
  std::vector<vk::raii::PhysicalDevice> all;
  try {
    for (auto& device : vk::raii::PhysicalDevices(instance)) all.push_back(std::move(device));
  } catch (const vk::InitializationFailedError&) {
    return {};  // this is how a loader without a driver fails
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return preference(a.getProperties().deviceType) < preference(b.getProperties().deviceType);
  });
  return all;
}

std::optional<uint32_t> chooseFamily(const vk::raii::Instance& instance,
                                     const vk::raii::PhysicalDevice& device,
                                     const CanPresent& canPresent) {
  const auto families = device.getQueueFamilyProperties();
  for (uint32_t i = 0; i < families.size(); ++i) {
    const auto flags = families[i].queueFlags;
    if (!(flags & vk::QueueFlagBits::eCompute)) continue;
    if (!canPresent) return i;
    if (flags & vk::QueueFlagBits::eGraphics && canPresent(*instance, *device, i)) return i;
  }
  return std::nullopt;
}

DeviceInfo describeDevice(const vk::raii::Instance& instance,
                          const vk::raii::PhysicalDevice& device, uint32_t index,
                          const DeviceOptions& options) {
  const auto chain =
      device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>();
  const auto& properties = chain.get<vk::PhysicalDeviceProperties2>().properties;
  const auto& driver = chain.get<vk::PhysicalDeviceDriverProperties>();
  static constexpr std::array kTypes{"discrete", "integrated", "virtual", "cpu", "other"};
  return {.index = index,
          .name = properties.deviceName.data(),
          .type = kTypes[static_cast<size_t>(preference(properties.deviceType))],
          .driver = std::string(driver.driverName.data()) + " " + driver.driverInfo.data(),
          .refusals = refusalsOf(instance, device, options)};
}

size_t chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name) {
  if (devices.empty()) {
    throw Error("no Vulkan driver is installed; install one, for example mesa-vulkan-drivers");
  }
  uint32_t index = 0;
  const bool byIndex = isIndex(name, index);
  for (size_t i = 0; i < devices.size(); ++i) {
    const bool meant = name.empty() ? devices[i].refusals.empty()
                       : byIndex    ? devices[i].index == index
                                    : devices[i].name.find(name) != std::string::npos;
    if (!meant) continue;
    if (devices[i].refusals.empty()) return i;
    throw Error("the device '" + devices[i].name + "' cannot be used: " + devices[i].refusals[0]);
  }
  if (name.empty()) throw Error("no Vulkan device can be used: " + reasons(devices));
  throw UsageError("there is no Vulkan device '" + name +
                   "'; the devices are: " + reasons(devices));
}

}  // namespace glint::gpu
