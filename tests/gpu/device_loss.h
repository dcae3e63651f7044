// A device that gets lost on purpose.
#pragma once

#include "gpu/device.h"

namespace glint::test {

/// From now on Vulkan answers VK_ERROR_DEVICE_LOST to every submission to `device`'s queue and,
/// once what runs is done, to every wait on a semaphore: entries of the table of functions are
/// replaced beneath the program. So all code of Glint is what would run; what a driver does with a
/// device that is really lost is not shown. At most one device of a program at a time; it must not
/// be used by two threads while this is called.
void lose(const gpu::Device& device);

}  // namespace glint::test
