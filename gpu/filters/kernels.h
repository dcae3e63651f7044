// The kernels of filters, made when they are first needed and kept.
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

/// Thread-safe. `device` must outlive it.
class FilterKernels {
 public:
  explicit FilterKernels(const Device& device) : device_(device) {}

  /// The kernel of a pass for values of `bits` and inputs of so many channels. Throws Error.
  std::shared_ptr<const Kernel> pass(const filters::Filter& filter, size_t pass, uint32_t bits,
                                     uint32_t channels);
  /// The one that puts a part of a plane into another.
  std::shared_ptr<const Kernel> place(uint32_t bits, uint32_t channels);
  /// The one of all point filters.
  std::shared_ptr<const Kernel> point(uint32_t bits, uint32_t channels);

 private:
  /// The filter, or null, its pass, bits and channels.
  using Key = std::tuple<const filters::Filter*, size_t, uint32_t, uint32_t>;
  std::shared_ptr<const Kernel> keep(const Key& key, const std::string& name,
                                     std::span<const uint32_t> spirv);

  const Device& device_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Kernel>> kernels_;
};

}  // namespace glint::gpu
