// How an ideal image becomes pixels: noise, rounding, saturation.
#pragma once

#include <cstdint>

#include "app/capture/synth/canvas.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Levels are counts of an 8-bit camera.
struct Sensor {
  double noise = 0;  ///< read noise, standard deviation
  double gain = 0;   ///< shot noise has the variance gain * light (Poisson, in its normal limit)
};

/// Writes light + noise, scaled to the depth of `image`, rounded to nearest, cut to 0 and full
/// scale. `image` is grey and as large as `canvas`. The noise depends on `key` and the pixel alone.
void expose(const Canvas& canvas, const Sensor& sensor, uint64_t key, const gpu::ImageView& image);

}  // namespace glint::capture
