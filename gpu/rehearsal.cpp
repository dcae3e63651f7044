#include "gpu/rehearsal.h"

#include <algorithm>
#include <cmath>

#include "shared/results.h"

namespace glint {
namespace {

constexpr int kMiddle = 16;  // px
constexpr uint32_t kPeak = 200;

/// A usual marker on a ground with some noise: its fit goes the usual way.
uint32_t valueAt(int x, int y) {
  const int square = (x - kMiddle) * (x - kMiddle) + (y - kMiddle) * (y - kMiddle);
  return 10 +
         static_cast<uint32_t>((x + y) % 2 + std::lround((kPeak - 10) * std::exp(-square / 4.5)));
}

template <class Pixel>
void draw(std::span<Pixel> pixels, int side) {
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      pixels[static_cast<size_t>(y * side + x)] = static_cast<Pixel>(valueAt(x, y));
}

}  // namespace

Rehearsal::Rehearsal(const Device& device, uint32_t bits)
    : picture(device, kSide * kSide * bits / 8, MemoryUse::settings, "rehearsal"),
      list(device, sizeof(shared::Candidate) * kTimes, MemoryUse::settings, "rehearsed candidates"),
      counts(device, sizeof(shared::LayerResult), MemoryUse::settings, "rehearsed counts"),
      markers(device, sizeof(shared::Detection) * kTimes, MemoryUse::device, "rehearsed markers") {
  bits == 8 ? draw(picture.as<uint8_t>(), kSide) : draw(picture.as<uint16_t>(), kSide);
  std::ranges::fill(list.as<shared::Candidate>(),
                    shared::Candidate{kPeak, kMiddle << 16 | kMiddle});
  counts.as<shared::LayerResult>()[0] = {kTimes, 0, 0, 0};
}

}  // namespace glint
