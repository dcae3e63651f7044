#include "gpu/filters/kernels.h"

#include <array>

namespace glint::gpu {

std::shared_ptr<const Kernel> FilterKernels::keep(const Key& key, const std::string& name,
                                                  std::span<const uint32_t> spirv) {
  const std::lock_guard lock(mutex_);
  auto& kernel = kernels_[key];
  const std::array constants{std::get<2>(key), std::get<3>(key)};
  if (!kernel) kernel = std::make_shared<const Kernel>(device_, name, spirv, constants);
  return kernel;
}

std::shared_ptr<const Kernel> FilterKernels::pass(const filters::Filter& filter, size_t pass,
                                                  uint32_t bits, uint32_t channels) {
  const auto& head = filter.head;
  const std::string name =
      head.passes.size() == 1 ? head.name : head.name + "_" + head.passes[pass].name;
  return keep({&filter, pass, bits, channels}, name, filter.kernels[pass]);
}

std::shared_ptr<const Kernel> FilterKernels::place(uint32_t bits, uint32_t channels) {
  return keep({nullptr, 1, bits, channels}, "place", filters::placeKernel());
}

std::shared_ptr<const Kernel> FilterKernels::point(uint32_t bits, uint32_t channels) {
  return keep({nullptr, 0, bits, channels}, "point", filters::pointKernel());
}

}  // namespace glint::gpu
