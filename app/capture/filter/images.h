// Masks and the images that filters read, from files.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/setting_images.h"
#include "config/filter_use.h"
#include "gpu/filters/images.h"

namespace glint::capture {

/// The files that they read for `count` cameras, a recording of which they read a frame, too.
std::vector<std::string> filterPaths(const FilterUses& uses, size_t count);

/// Reads them for these of `count` cameras; "%d" in a name stands for the camera's number. Null if
/// there are none. An image's file may be a table of tracks (.csv), whose places are its marks.
/// Throws UsageError naming a file that cannot be read.
gpu::FilterImages loadFilterImages(const FilterUses& uses, const std::vector<size_t>& cameras,
                                   size_t count);

/// "%d" in a name stands for the camera's number.
std::shared_ptr<const motion::SettingImages> fileImages();

}  // namespace glint::capture
