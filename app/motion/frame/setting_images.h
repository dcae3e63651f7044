// The pictures that settings refer to: masks, and images that filters read.
#pragma once

#include <cstddef>
#include <vector>

#include "config/filter_use.h"
#include "config/settings.h"
#include "gpu/filters/images.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::motion {

/// Finds the pictures, so that a session needs no access to files. In both functions, `cameras` are
/// the numbers of cameras that share one image format, and `count` is the number of all cameras.
class SettingImages {
 public:
  virtual ~SettingImages() = default;

  /// Returns one mask for each of `cameras`, or none if all pixels of all these cameras are
  /// measured. Throws UsageError naming a picture that cannot be used.
  virtual std::vector<gpu::LayerMask> masks(const Settings::Detect& detect,
                                            const std::vector<size_t>& cameras, size_t count,
                                            const gpu::ImageFormat& format) const = 0;

  /// Returns the images that the filters read, or null if they read none. Throws UsageError naming
  /// a picture that cannot be used.
  virtual gpu::FilterImages filterImages(const FilterUses& filters,
                                         const std::vector<size_t>& cameras,
                                         size_t count) const = 0;
};

}  // namespace glint::motion
