// The choice of memory that the host can read without a copy if kernels run on a CPU.
#pragma once

#include "gpu/buffer.h"
#include "gpu/device.h"

namespace glint::gpu {

/// Returns the kind of memory for data that kernels pass to each other. On a CPU, and only there,
/// the host can also read and write it.
inline MemoryUse visibleOnCpu(const Device& device) {
  return device.info().type == "cpu" ? MemoryUse::readback : MemoryUse::device;
}

}  // namespace glint::gpu
