// The detections of a layer as words, to compare them bit for bit.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "gpu/detect/detector.h"

namespace glint::test {

template <class T>
void appendWords(std::vector<uint32_t>& words, const T& value) {
  static_assert(sizeof(T) % 4 == 0);
  words.resize(words.size() + sizeof(T) / 4);
  std::memcpy(words.data() + words.size() - sizeof(T) / 4, &value, sizeof(T));
}

/// Returns the number of candidates, whether the layer is partial, and its markers.
inline std::vector<uint32_t> markerWords(const gpu::LayerMeasurement& layer) {
  std::vector<uint32_t> words{layer.candidates, static_cast<uint32_t>(layer.partial)};
  for (const shared::Detection& d : layer.markers) appendWords(words, d);
  return words;
}

}  // namespace glint::test
