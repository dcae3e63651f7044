// The devices that there are, what speaks against each, and which one is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_options.h"

namespace glint {

bool contains(const std::vector<vk::ExtensionProperties>& all, std::string_view name);

/// Discrete, integrated, virtual, CPU; empty where there is a loader without a driver.
std::vector<vk::raii::PhysicalDevice> inOrderOfPreference(const vk::raii::Instance& instance);

/// The first queue family that computes and, if asked for, draws and presents.
std::optional<uint32_t> chooseFamily(const vk::raii::Instance& instance,
                                     const vk::raii::PhysicalDevice& device,
                                     const CanPresent& canPresent);

/// With everything for which a device cannot be used as `options` ask.
DeviceInfo describeDevice(const vk::raii::Instance& instance,
                          const vk::raii::PhysicalDevice& device, uint32_t index,
                          const DeviceOptions& options);

/// The position in `devices` of the one asked for (part of a name, or an index), or of the best.
/// Throws Error when it is refused or none can be used, UsageError when there is none of that name.
size_t chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name);

}  // namespace glint
