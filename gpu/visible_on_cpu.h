// Memory that the host may look into without a copy where host and kernels are one processor.
#pragma once

#include "gpu/buffer.h"
#include "gpu/device.h"

namespace glint::gpu {

/// For what kernels hand on to one another: the host can read and write it, too, on a CPU only.
inline MemoryUse visibleOnCpu(const Device& device) {
  return device.info().type == "cpu" ? MemoryUse::readback : MemoryUse::device;
}

}  // namespace glint::gpu
