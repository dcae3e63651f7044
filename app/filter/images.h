// The images that filters read from files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/filters/use.h"
#include "gpu/filters/images.h"

namespace glint {

/// What inputs of filters say behind "file:", each once, in their order.
std::vector<std::string> filterFiles(const FilterUses& uses);

/// Reads them for these of `count` cameras; "%d" in a name stands for the camera's number. Null if
/// there are none. Throws UsageError naming a file that cannot be read.
FilterImages loadFilterImages(const FilterUses& uses, const std::vector<size_t>& cameras,
                              size_t count);

}  // namespace glint
