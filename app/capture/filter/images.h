// Reads masks, and the images that filters use, from files.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/setting_images.h"
#include "config/filter_use.h"
#include "gpu/filters/images.h"

namespace glint::capture {

/// Returns the files that filters read for `count` cameras, including recordings of which they read
/// a frame.
std::vector<std::string> filterPaths(const FilterUses& uses, size_t count);

/// Reads the images of filters for `cameras`, some of `count` cameras; "%d" in a file's name stands
/// for the camera's number. Returns null if filters use no images. The file may be a table of
/// tracks (.csv), whose places become marks. Throws UsageError, which names a file that cannot be
/// read.
gpu::FilterImages loadFilterImages(const FilterUses& uses, const std::vector<size_t>& cameras,
                                   size_t count);

/// Returns an object that reads a session's masks and images of filters from files; "%d" in a
/// file's name stands for the camera's number.
std::shared_ptr<const motion::SettingImages> fileImages();

}  // namespace glint::capture
