// The false colours about a threshold, as ui/shaders/image.frag draws them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace glint::ui {

/// Red, green and blue, 0 to 1 each.
using Colour = std::array<float, 3>;

/// Returns the colour of a value; `white` is full scale, and `least` is a small step of the values,
/// so that nothing is divided by 0.
inline Colour falseColour(float value, float threshold, float white, float least) {
  const auto mix = [](const Colour& a, const Colour& b, float part) {
    Colour mixed{};
    for (size_t i = 0; i < mixed.size(); ++i) mixed[i] = a[i] + (b[i] - a[i]) * part;
    return mixed;
  };
  const float part = value / std::max(threshold, least);
  if (part < 0.92F) return mix({0.02F, 0.03F, 0.06F}, {0.25F, 0.45F, 0.75F}, part / 0.92F);
  if (part < 1.08F) return {0.15F, 0.85F, 0.35F};
  const float high = threshold * 1.08F;
  const float above = std::clamp((value - high) / std::max(white - high, least), 0.0F, 1.0F);
  if (above < 0.6F) return mix({1.0F, 0.9F, 0.1F}, {0.95F, 0.25F, 0.1F}, above / 0.6F);
  return mix({0.95F, 0.25F, 0.1F}, {1.0F, 1.0F, 1.0F}, (above - 0.6F) / 0.4F);
}

}  // namespace glint::ui
