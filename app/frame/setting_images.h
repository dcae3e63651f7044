// The pictures that settings name: masks, and what filters read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/filter_use.h"
#include "gpu/filters/images.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint {

/// Finds them, so that a session knows no files. `cameras`: those of one format, of `count` in all.
class SettingImages {
 public:
  virtual ~SettingImages() = default;

  /// One a camera; empty if `name` is. Throws UsageError naming what cannot be had.
  virtual std::vector<LayerMask> masks(const std::string& name, const std::vector<size_t>& cameras,
                                       size_t count, const ImageFormat& format) const = 0;

  /// Null if the filters need none. Throws UsageError naming what cannot be had.
  virtual FilterImages filterImages(const FilterUses& filters, const std::vector<size_t>& cameras,
                                    size_t count) const = 0;
};

}  // namespace glint
