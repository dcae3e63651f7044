#include "app/capture/synth/sensor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "app/capture/synth/random.h"

namespace glint::capture {
namespace {

// light[i] + normal[i] * sigma(light[i]), in place of normal[i].
void addNoise(const Sensor& sensor, const float* light, std::span<float> normal) {
  const auto gain = static_cast<float>(sensor.gain);
  const auto readVariance = static_cast<float>(sensor.noise * sensor.noise);
  for (size_t i = 0; i < normal.size(); ++i) {
    const float lit = std::max(light[i], 0.0F);  // the rim of a shape may round to just below 0
    normal[i] = lit + normal[i] * std::sqrt(gain * lit + readVariance);
  }
}

template <class Pixel>
void quantise(std::span<const float> light, float scale, float full, std::byte* out) {
  auto* to = reinterpret_cast<Pixel*>(out);
  for (size_t i = 0; i < light.size(); ++i) {
    const float level = std::clamp(light[i] * scale, 0.0F, full);
    // lround would be a call per pixel; no level is negative.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    to[i] = static_cast<Pixel>(static_cast<int32_t>(level + 0.5F));
  }
}

}  // namespace

void expose(const Canvas& canvas, const Sensor& sensor, uint64_t key, const gpu::ImageView& image) {
  const auto full = static_cast<float>(image.format.fullScale());
  const float scale = full / 255;
  const bool noisy = sensor.noise > 0 || sensor.gain > 0;
  std::vector<float> row(canvas.width);
  for (uint32_t y = 0; y < image.format.height; ++y) {
    if (noisy) {
      fillNormals(hashKey({key, y}), row);
      addNoise(sensor, canvas.row(y), row);
    } else {
      std::copy_n(canvas.row(y), canvas.width, row.begin());
    }
    if (image.format.bits == 8)
      quantise<uint8_t>(row, scale, full, image.row(y));
    else
      quantise<uint16_t>(row, scale, full, image.row(y));
  }
}

}  // namespace glint::capture
