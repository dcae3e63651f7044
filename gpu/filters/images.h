// Defines the images from files that filters read in addition to the frames.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/filter_head.h"
#include "config/secrets.h"
#include "gpu/frame.h"

namespace glint::gpu {

/// A table of colours as 32-bit words. Word 0: entries along each axis. Word 1: the number of axes,
/// 1 or 3, or 0 for an image of 512x512 whose order is not known yet. Words 2 to 7 (float): the
/// least input of red, green and blue, and the inputs' range of red, green and blue. Then (float)
/// red, green and blue of each entry, along the axis of red first, or of each pixel of the image.
using ColourTable = std::vector<uint32_t>;
inline constexpr size_t kColourTableStart = 8;

/// A mark in a frame, such as a marker's place, rounded to whole pixels.
struct FilterMark {
  uint64_t frame = 0;
  int64_t x = 0, y = 0;
};

struct FilterImage {
  ImageFormat format;
  std::vector<uint16_t> values;        ///< counts in raster order, channels interleaved
  ColourTable table = {};              ///< instead of `values`, for an input that is a table
  bool hasMarks = false;               ///< true: `marks` stand instead of `values`
  std::vector<FilterMark> marks = {};  ///< sorted by frame; pixels at full scale, the others are 0
};

/// Images by imageKey(), each with one image per layer. Two of these objects are equal only if they
/// are the same object.
using FilterImages = std::shared_ptr<const std::map<std::string, std::vector<FilterImage>>>;

/// `file`: what an input names with "file:NAME". The key is never shown.
inline std::string imageKey(filters::Input::Form form, const Address& file) {
  using Form = filters::Input::Form;
  return (form == Form::plane ? "" : form == Form::colours ? "colours:" : "pattern:") + file.real();
}

}  // namespace glint::gpu
