// Images from files that filters read beside the frames.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/frame.h"

namespace glint {

struct FilterImage {
  ImageFormat format;
  std::vector<uint16_t> values;  ///< raster order, channels interleaved
};

/// By what an input says behind "file:", one a layer. Compared by address.
using FilterImages = std::shared_ptr<const std::map<std::string, std::vector<FilterImage>>>;

}  // namespace glint
