// The filters that come with Glint. During the build, glint_filter_maker writes their definitions
// from shaders/filters/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::filters {

/// SPIR-V words of a kernel.
struct BuiltKernel {
  const uint32_t* words;
  size_t count;
};

struct BuiltFilter {
  const char* name;
  const char* text;            ///< text of the filter's file
  const BuiltKernel* kernels;  ///< one per pass; null if the filter has no passes
  size_t count;
};

extern const BuiltFilter kBuiltFilters[];
extern const size_t kBuiltFilterCount;
extern const BuiltKernel kBuiltPointKernel, kBuiltPlaceKernel;

}  // namespace glint::filters
