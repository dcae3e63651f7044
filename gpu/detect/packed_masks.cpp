#include "gpu/detect/packed_masks.h"

#include <algorithm>
#include <string>

#include "config/error.h"

namespace glint::gpu {
namespace {

std::vector<size_t> countMeasured(const FrameFormat& format, const std::vector<LayerMask>& masks) {
  if (masks.size() != format.layers) throw Error("there must be one mask for each camera");
  std::vector<size_t> counts(format.layers, format.image.pixels());
  for (size_t i = 0; i < masks.size(); ++i) {
    if (masks[i].empty()) continue;
    if (masks[i].width != format.image.width || masks[i].height != format.image.height)
      throw Error("the mask of camera " + std::to_string(i) + " is not of the frames' size");
    counts[i] = masks[i].measured();
  }
  return counts;
}

}  // namespace

PackedMasks::PackedMasks(const Device& device, const FrameFormat& format,
                         const std::vector<LayerMask>& masks)
    : measured_(countMeasured(format, masks)),
      pitch_(maskPitch(format.image.width)),
      buffer_(device, sizeof(uint32_t) * pitch_ * format.image.height * format.layers,
              MemoryUse::settings, "mask") {
  const auto words = packMasks(masks, format.image.width, format.image.height);
  std::copy(words.begin(), words.end(), buffer_.as<uint32_t>().begin());
}

}  // namespace glint::gpu
