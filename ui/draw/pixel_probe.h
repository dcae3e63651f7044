// The value of one pixel of a plane that only the device holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/plane_images.h"
#include "ui/model/pixel_value.h"

namespace glint::ui {

struct PixelProbe {
  std::shared_ptr<const gpu::PlaneImages> planes;  ///< that it is one of; not null
  const gpu::PlaneImage* plane = nullptr;
  uint32_t layer = 0, x = 0, y = 0;
  bool operator==(const PixelProbe&) const = default;
};

/// Where its words lie in the plane's buffer, bytes; three of them at the most.
struct ProbeRange {
  size_t offset = 0, size = 0;
};
ProbeRange rangeOf(const PixelProbe& probe);

/// From the words that lie there.
PixelValue valueOf(const PixelProbe& probe, const std::array<uint32_t, 3>& words);

}  // namespace glint::ui
