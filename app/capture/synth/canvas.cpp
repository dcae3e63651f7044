#include "app/capture/synth/canvas.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "app/capture/synth/random.h"

namespace glint::capture {
namespace {

// Returns the normal distribution function; normalCdfIntegral() returns the integral of it.
double normalCdf(double u) {
  return 0.5 * std::erfc(-u / std::numbers::sqrt2);
}

double normalCdfIntegral(double u) {
  return u * normalCdf(u) + std::exp(-0.5 * u * u) / std::sqrt(2 * std::numbers::pi);
}

// The pixels along an axis that lie within `reach` px of `centre`: `count` pixels from `first` on.
struct Extent {
  Extent(double centre, double reach, size_t size) {
    const double last = std::min(std::ceil(centre + reach), static_cast<double>(size) - 1);
    const double start = std::max(std::floor(centre - reach), 0.0);
    if (last < start) return;
    first = static_cast<size_t>(start);
    count = static_cast<size_t>(last - start) + 1;
  }
  // Returns the left edge of pixel first + i, as a distance from `centre`.
  double edge(size_t i, double centre) const {
    return static_cast<double>(first + i) - 0.5 - centre;
  }
  size_t first = 0, count = 0;
};

// Computes, for each pixel, f at its right edge minus f at its left edge.
template <class Function>
void differences(const Extent& extent, double centre, Function f, std::vector<double>& out) {
  out.resize(extent.count);
  double left = f(extent.edge(0, centre));
  for (size_t i = 0; i < extent.count; ++i) {
    const double right = f(extent.edge(i + 1, centre));
    out[i] = right - left;
    left = right;
  }
}

void addProduct(Canvas& canvas, const Extent& across, const Extent& down,
                const std::vector<double>& columns, const std::vector<double>& rows,
                double factor) {
  for (size_t j = 0; j < down.count; ++j) {
    float* to = canvas.row(down.first + j) + across.first;
    const double weight = factor * rows[j];
    for (size_t i = 0; i < across.count; ++i) to[i] += static_cast<float>(weight * columns[i]);
  }
}

// Replaces normal[i] by light[i] + normal[i] * sigma(light[i]).
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
    // This rounds correctly, because no level is negative; lround would be a call per pixel.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    to[i] = static_cast<Pixel>(static_cast<int32_t>(level + 0.5F));
  }
}

}  // namespace

void addGaussian(Canvas& canvas, double x, double y, double sigma, double amplitude) {
  const Extent across(x, 5 * sigma, canvas.width), down(y, 5 * sigma, canvas.height);
  std::vector<double> columns, rows;
  const auto cdf = [sigma](double u) { return normalCdf(u / sigma); };
  differences(across, x, cdf, columns);
  differences(down, y, cdf, rows);
  addProduct(canvas, across, down, columns, rows, 2 * std::numbers::pi * sigma * sigma * amplitude);
}

void addDisc(Canvas& canvas, double x, double y, double radius, double blur, double amplitude) {
  const double reach = radius + 5 * blur;
  const Extent across(x, reach, canvas.width), down(y, reach, canvas.height);
  if (across.count == 0 || down.count == 0) return;
  // The chord at height R cos(a) has half the length R sin(a), so the sum over chords is a midpoint
  // rule on a smooth periodic function of a. Chords at a and pi - a are equally long, so they are
  // added together.
  const auto pairs = static_cast<int>(std::ceil(2 * radius / blur)) + 5;
  std::vector<double> columns, rows;
  for (int k = 0; k < pairs; ++k) {
    const double angle = (k + 0.5) * std::numbers::pi / (2 * pairs);
    const double height = radius * std::cos(angle), half = radius * std::sin(angle);
    differences(
        across, x,
        [&](double u) {
          return blur *
                 (normalCdfIntegral((u + half) / blur) - normalCdfIntegral((u - half) / blur));
        },
        columns);
    differences(
        down, y,
        [&](double v) { return normalCdf((v + height) / blur) + normalCdf((v - height) / blur); },
        rows);
    const double chord = half * std::numbers::pi / (2 * pairs);  // the thickness, R sin(a) da
    addProduct(canvas, across, down, columns, rows, amplitude * chord);
  }
}

void paintSilhouette(Canvas& canvas, const Silhouette& shape, double level) {
  const double reach = std::max(shape.radius0, shape.radius1) + 1;
  const double dx = shape.x1 - shape.x0, dy = shape.y1 - shape.y0;
  const Extent across((shape.x0 + shape.x1) / 2, std::abs(dx) / 2 + reach, canvas.width);
  const Extent down((shape.y0 + shape.y1) / 2, std::abs(dy) / 2 + reach, canvas.height);
  const double perLength = 1 / std::max(dx * dx + dy * dy, 1e-9);
  const double growth = shape.radius1 - shape.radius0;

  for (size_t j = 0; j < down.count; ++j) {
    float* to = canvas.row(down.first + j) + across.first;
    const double v = static_cast<double>(down.first + j) - shape.y0;
    for (size_t i = 0; i < across.count; ++i) {
      const double u = static_cast<double>(across.first + i) - shape.x0;
      const double along = std::clamp((u * dx + v * dy) * perLength, 0.0, 1.0);
      const double radius = shape.radius0 + along * growth;
      const double eu = u - along * dx, ev = v - along * dy;
      const double squared = eu * eu + ev * ev;
      if (squared >= (radius + 0.5) * (radius + 0.5)) continue;
      const double coverage = std::clamp(radius + 0.5 - std::sqrt(squared), 0.0, 1.0);
      const double shade = level * (1 - squared / (5 * radius * radius));
      to[i] += static_cast<float>(coverage * (shade - static_cast<double>(to[i])));
    }
  }
}

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
