#include "app/study/sweep/heat_colour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace glint::study {

std::array<double, 3> heatColour(double share) {
  static constexpr std::array<std::array<double, 3>, 5> kStops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<size_t>(at), kStops.size() - 2);
  std::array<double, 3> colour{};
  for (size_t i = 0; i < colour.size(); ++i)
    colour[i] = std::lerp(kStops[low][i], kStops[low + 1][i], at - static_cast<double>(low));
  return colour;
}

}  // namespace glint::study
