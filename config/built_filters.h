// The filters that come with Glint, as glint_filter_maker wrote them from shaders/filters/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::filters {

struct BuiltKernel {
  const uint32_t* words;
  size_t count;
};

struct BuiltFilter {
  const char* name;
  const char* text;  ///< the file
  const BuiltKernel* kernels;
  size_t count;
};

extern const BuiltFilter kBuiltFilters[];
extern const size_t kBuiltFilterCount;
extern const BuiltKernel kBuiltPointKernel, kBuiltPlaceKernel;

}  // namespace glint::filters
