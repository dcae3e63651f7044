// Images from files that filters read in addition to the frames.
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

/// A table of colours as words: entries a side; 1 or 3 axes, or 0: an image of 512x512 whose order
/// is not known yet; the least input and the inputs' range of red, green and blue (float); then
/// red, green and blue (float) of each entry, red fastest, or of each pixel.
using ColourTable = std::vector<uint32_t>;
inline constexpr size_t kColourTableStart = 8;

/// A mark, such as a marker's place: px, rounded.
struct FilterMark {
  uint64_t frame = 0;
  int64_t x = 0, y = 0;
};

struct FilterImage {
  ImageFormat format;
  std::vector<uint16_t> values;        ///< raster order, channels interleaved
  ColourTable table = {};              ///< instead of them, of an input that wants one
  bool hasMarks = false;               ///< instead of them: full scale at the frame's marks
  std::vector<FilterMark> marks = {};  ///< sorted by frame
};

/// By imageKey(), one a layer. Compared by address.
using FilterImages = std::shared_ptr<const std::map<std::string, std::vector<FilterImage>>>;

/// `file`: what an input names with "file:NAME". The key is never shown.
inline std::string imageKey(filters::Input::Form form, const Address& file) {
  using Form = filters::Input::Form;
  return (form == Form::plane ? "" : form == Form::colours ? "colours:" : "pattern:") + file.real();
}

}  // namespace glint::gpu
