// Whether frames are written straight into a discrete device's own memory. Internal to gpu/.
#pragma once

#include "gpu/vulkan.h"

namespace glint {

/// Whether that is asked for (the environment's GLINT_DIRECT_UPLOAD=1) and the host reaches all of
/// the device's memory (resizable BAR): then Device::unifiedMemory() is true, buffers that the host
/// writes lie there, and the copy to the device falls away. Reading such frames on the host, as
/// pictures and recordings do, is slow.
bool uploadsDirectly(const vk::PhysicalDeviceMemoryProperties& memory);

}  // namespace glint
