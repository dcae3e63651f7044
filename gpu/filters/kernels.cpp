#include "gpu/filters/kernels.h"

#include <array>

namespace glint::gpu {

template <class Make>
std::shared_ptr<const Kernel> FilterKernels::keep(const Key& key, const Make& make) {
  const std::lock_guard lock(mutex_);
  auto& kernel = kernels_[key];
  if (!kernel) kernel = make();
  return kernel;
}

std::shared_ptr<const Kernel> FilterKernels::pass(const filters::Filter& filter, size_t pass,
                                                  uint32_t bits, uint32_t channels) {
  return keep({&filter, pass, bits, channels}, [&] {
    const std::array constants{bits, channels};
    const auto& head = filter.head;
    const std::string name =
        head.passes.size() == 1 ? head.name : head.name + "_" + head.passes[pass].name;
    return std::make_shared<const Kernel>(device_, name, filter.kernels[pass], constants);
  });
}

std::shared_ptr<const Kernel> FilterKernels::place(uint32_t bits, uint32_t channels) {
  return keep({nullptr, 1, bits, channels}, [&] {
    const std::array constants{bits, channels};
    return std::make_shared<const Kernel>(device_, "place", filters::placeKernel(), constants);
  });
}

std::shared_ptr<const Kernel> FilterKernels::point(uint32_t bits, uint32_t channels) {
  return keep({nullptr, 0, bits, channels}, [&] {
    const std::array constants{bits, channels};
    return std::make_shared<const Kernel>(device_, "point", filters::pointKernel(), constants);
  });
}

}  // namespace glint::gpu
