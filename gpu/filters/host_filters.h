// Filters that the host computes instead of kernels, where the device is a CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "config/filter_head.h"
#include "gpu/frame.h"

namespace glint::gpu {

/// Computes one layer of a filter's plane, `to`, from one layer of its input. Both have the size of
/// the frame or of the same part of it; the number of channels may differ. Any thread may call it.
using HostFilter = std::function<void(const ImageView& from, const ImageView& to)>;

/// Knows filters that the host can compute. On a CPU, kernels go through a driver that imitates a
/// GPU, and a library that is written for CPUs is often ten times as fast. Any thread may use it.
class HostFilters {
 public:
  virtual ~HostFilters() = default;

  /// Returns a function that computes a filter with one input and these parameters. Its output must
  /// equal that of the filter's kernels in every bit. Returns an empty function if there is none.
  /// `image` is the format of the input.
  virtual HostFilter find(const filters::Head& head, const filters::ParameterValues& values,
                          const ImageFormat& image) const = 0;

  /// Returns a function that replaces every value v of an image by table[v]. `table` has an entry
  /// for each value from 0 to full scale.
  virtual HostFilter replaceValues(std::span<const uint32_t> table,
                                   const ImageFormat& image) const = 0;
};

}  // namespace glint::gpu
