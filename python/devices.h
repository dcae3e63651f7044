// Devices for as long as the process uses them: to make one takes longer than to measure a frame.
#pragma once

#include <memory>

#include "config/settings.h"

namespace glint::gpu {
class Device;
}  // namespace glint::gpu

namespace glint::python {

/// The device that settings name, made at the first call and kept. Any thread. Throws Error where
/// none fits, and in a process that was forked from one that has used a device.
std::shared_ptr<const gpu::Device> keptDevice(const Settings::DeviceSettings& settings);

/// The next call makes them anew: before the process ends, and where a driver has lost one.
void forgetDevices();

/// Whether this process was forked from one that has used a device: what was made there must not be
/// touched, not even destroyed, since its threads are not here.
bool isForked();

/// Throws Error where isForked().
void refuseForked();

}  // namespace glint::python
