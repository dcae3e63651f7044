// The value of one pixel in a plane that only the device holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/plane_images.h"
#include "ui/model/pixel_value.h"

namespace glint::ui {

/// A pixel whose value is asked for.
struct PixelProbe {
  /// The planes to which `plane` belongs; not null.
  std::shared_ptr<const gpu::PlaneImages> planes;
  const gpu::PlaneImage* plane = nullptr;
  uint32_t layer = 0, x = 0, y = 0;
  bool operator==(const PixelProbe&) const = default;
};

/// The bytes of the plane's buffer that hold the pixel: three words at most.
struct ProbeRange {
  size_t offset = 0, size = 0;
};
/// Returns the place of the pixel in the buffer.
ProbeRange rangeOf(const PixelProbe& probe);

/// Returns the value of the pixel from these words.
PixelValue valueOf(const PixelProbe& probe, const std::array<uint32_t, 3>& words);

}  // namespace glint::ui
