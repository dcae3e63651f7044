// Keeps devices while the process uses them, because to make one takes longer than to measure a
// frame.
#pragma once

#include <memory>

#include "config/settings.h"

namespace glint::gpu {
class Device;
}  // namespace glint::gpu

namespace glint::python {

/// Returns the device that settings name, which is made at the first call and kept. Thread-safe.
/// Throws Error if no device fits, and where isForked().
std::shared_ptr<const gpu::Device> keptDevice(const Settings::DeviceSettings& settings);

/// Forgets all devices, so that keptDevice() makes new ones. To be called before the process ends,
/// and when a driver has lost a device. Does nothing where isForked(). Thread-safe.
void forgetDevices();

/// Returns true if this process was forked from one that has used a device. What the other process
/// made must not be touched here, not even destroyed, since its threads are not in this process.
bool isForked();

/// Throws Error if isForked().
void refuseForked();

}  // namespace glint::python
