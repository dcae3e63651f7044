// Makes the kernels of filters when they are first needed, and keeps them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>

#include "config/filter_catalog.h"
#include "gpu/kernel.h"

namespace glint::gpu {

/// Kernels of filters on one device. Thread-safe. `device` must outlive the object.
class FilterKernels {
 public:
  explicit FilterKernels(const Device& device) : device_(device) {}

  /// Returns the kernel of a pass, for values of `bits` bits and inputs of `channels` channels.
  /// Throws Error if the device refuses it.
  std::shared_ptr<const Kernel> pass(const filters::Filter& filter, size_t pass, uint32_t bits,
                                     uint32_t channels);
  /// Returns the kernel that copies a part of a plane into another plane. Throws Error.
  std::shared_ptr<const Kernel> place(uint32_t bits, uint32_t channels);
  /// Returns the kernel that runs all point filters. Throws Error.
  std::shared_ptr<const Kernel> point(uint32_t bits, uint32_t channels);

 private:
  /// The filter, its pass, bits and channels. Without a filter, pass 0 stands for the kernel of
  /// point filters and pass 1 for the kernel of place().
  using Key = std::tuple<const filters::Filter*, size_t, uint32_t, uint32_t>;
  std::shared_ptr<const Kernel> keep(const Key& key, const std::string& name,
                                     std::span<const uint32_t> spirv);

  const Device& device_;
  std::mutex mutex_;  // guards the next member
  std::map<Key, std::shared_ptr<const Kernel>> kernels_;
};

}  // namespace glint::gpu
