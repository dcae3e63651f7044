// Filters that OpenCV computes on the host, for devices that are CPUs.
#pragma once

#include <memory>

#include "config/settings.h"
#include "gpu/filters/host_filters.h"
#include "gpu/physical_devices.h"

namespace glint::capture {

/// Returns the filters whose output OpenCV computes equal to the kernels in every bit: box, median,
/// morphology, Canny, adaptive thresholds, the demosaicing of Bayer pictures, and filters of
/// single values. Some of them have an equal only for 8-bit values, or up to a size.
std::shared_ptr<const gpu::HostFilters> hostFilters();

/// Returns the options of the device that settings choose, with hostFilters().
gpu::DeviceOptions deviceOptions(const Settings::DeviceSettings& settings);

}  // namespace glint::capture
