// Paints an ideal image, the light that falls on each pixel, and turns it into pixels with noise,
// rounding and saturation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"

namespace glint::capture {

/// An image of light, in counts of an 8-bit camera, row by row. Shapes may reach beyond its border.
struct Canvas {
  Canvas(size_t columns, size_t rows) : width(columns), height(rows), pixels(columns * rows) {}

  float* row(size_t y) { return pixels.data() + y * width; }
  const float* row(size_t y) const { return pixels.data() + y * width; }

  size_t width, height;  ///< px
  std::vector<float> pixels;
};

/// Adds a Gaussian centred at (x, y), of standard deviation `sigma` px and central height
/// `amplitude`, integrated over each pixel (exactly, by differences of the error function). Its sum
/// is 2 pi sigma^2 amplitude, cut off at 5 sigma.
void addGaussian(Canvas& canvas, double x, double y, double sigma, double amplitude);

/// Adds a disc centred at (x, y), of `radius` px and level `amplitude`, blurred by a Gaussian of
/// sigma `blur` > 0 px and integrated over each pixel. Its sum is pi radius^2 amplitude.
/// The disc is taken as horizontal chords, each of which is blurred and integrated in closed form;
/// the sum over chords converges exponentially (error below 1e-6 of the amplitude).
void addDisc(Canvas& canvas, double x, double y, double radius, double blur, double amplitude);

/// The outline of a capsule in the image, px: two circles and the area between them.
struct Silhouette {
  double x0, y0, radius0, x1, y1, radius1;
};

/// Replaces the light that a capsule covers by `level`, which is a fifth darker at the capsule's
/// rim; the rim is antialiased.
void paintSilhouette(Canvas& canvas, const Silhouette& shape, double level);

/// The noise of a sensor, in counts of an 8-bit camera.
struct Sensor {
  double noise = 0;  ///< standard deviation of the read noise
  double gain = 0;   ///< shot noise has the variance gain * light (Poisson, in its normal limit)
};

/// Writes light and noise into `image`: scaled to its depth, rounded to nearest, and limited to 0
/// and full scale. `image` is grey and as large as `canvas`. The noise depends only on `key` and
/// the pixel.
void expose(const Canvas& canvas, const Sensor& sensor, uint64_t key, const gpu::ImageView& image);

}  // namespace glint::capture
