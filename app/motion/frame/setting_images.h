// The pictures that settings name: masks, and what filters read.
#pragma once

#include <cstddef>
#include <vector>

#include "config/filter_use.h"
#include "config/settings.h"
#include "gpu/filters/images.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::motion {

/// Finds them, so that a session knows no files. `cameras`: those of one format, of `count` in all.
class SettingImages {
 public:
  virtual ~SettingImages() = default;

  /// One a camera; none if all pixels of all of them are measured. Throws UsageError naming what
  /// cannot be had.
  virtual std::vector<gpu::LayerMask> masks(const Settings::Detect& detect,
                                            const std::vector<size_t>& cameras, size_t count,
                                            const gpu::ImageFormat& format) const = 0;

  /// Null if the filters need none. Throws UsageError naming what cannot be had.
  virtual gpu::FilterImages filterImages(const FilterUses& filters,
                                         const std::vector<size_t>& cameras,
                                         size_t count) const = 0;
};

}  // namespace glint::motion
