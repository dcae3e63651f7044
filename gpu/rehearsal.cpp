#include "gpu/rehearsal.h"

#include <algorithm>
#include <cmath>

#include "shared/results.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kPictureSide = 32;  // px; a row has as many words as a pixel has bits
constexpr int kPictureMiddle = 16;     // px
constexpr uint32_t kPicturePeak = 200;
constexpr float kAnySize = 1e9F;  // limits of length and size that every marker meets

/// Returns a pixel of a typical marker on a background with some noise, so that its fit runs
/// through the usual code.
uint32_t rehearsedValue(int x, int y) {
  const int square =
      (x - kPictureMiddle) * (x - kPictureMiddle) + (y - kPictureMiddle) * (y - kPictureMiddle);
  return 10 + static_cast<uint32_t>((x + y) % 2 +
                                    std::lround((kPicturePeak - 10) * std::exp(-square / 4.5)));
}

template <class Pixel>
void drawPicture(std::span<Pixel> pixels, int side) {
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      pixels[static_cast<size_t>(y * side + x)] = static_cast<Pixel>(rehearsedValue(x, y));
}

}  // namespace

Rehearsal::Rehearsal(const Device& device, uint32_t bits)
    : params{{kPictureSide, kPictureSide, bits, bits * kPictureSide},
             kTimes,
             0,
             (1U << bits) - 1,
             shared::kRehearsed,
             shared::kRefineList,
             kTimes,
             kAnySize,
             kAnySize,
             0,
             kTimes,
             0,
             0},
      picture(device, kPictureSide * kPictureSide * bits / 8, MemoryUse::settings, "rehearsal"),
      list(device, sizeof(shared::Candidate) * kTimes, MemoryUse::settings, "rehearsed candidates"),
      counts(device, sizeof(shared::LayerResult), MemoryUse::settings, "rehearsed counts"),
      markers(device, sizeof(shared::Detection) * kTimes, MemoryUse::device, "rehearsed markers") {
  bits == 8 ? drawPicture(picture.as<uint8_t>(), kPictureSide)
            : drawPicture(picture.as<uint16_t>(), kPictureSide);
  std::ranges::fill(list.as<shared::Candidate>(),
                    shared::Candidate{kPicturePeak, kPictureMiddle << 16 | kPictureMiddle});
  counts.as<shared::LayerResult>()[0] = {kTimes, 0, 0, 0};
}

}  // namespace glint::gpu
