// What was found in a layer, in words to compare bit for bit.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "gpu/detect/detector.h"

namespace glint::test {

/// The number of candidates, whether the layer is partial, and its markers.
inline std::vector<uint32_t> markerWords(const LayerMeasurement& layer) {
  std::vector<uint32_t> words{layer.candidates, static_cast<uint32_t>(layer.partial)};
  for (const shared::Detection& d : layer.markers) {
    words.resize(words.size() + sizeof d / 4);
    std::memcpy(words.data() + words.size() - sizeof d / 4, &d, sizeof d);
  }
  return words;
}

}  // namespace glint::test
