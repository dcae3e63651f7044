// A device that gets lost on purpose.
#pragma once

#include "gpu/device.h"

namespace glint::test {

/// Makes a device appear lost. From now on, Vulkan returns VK_ERROR_DEVICE_LOST for every
/// submission to `device`'s queue and, once the running work is done, for every wait on a
/// semaphore. This replaces entries of the table of functions beneath the program. So all code of
/// Glint runs as it would; the test does not show what a driver does with a device that is really
/// lost. Only one device of a program may be lost at a time, and two threads must not use it during
/// the call.
void lose(const gpu::Device& device);

}  // namespace glint::test
