#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/synth/canvas.h"
#include "app/capture/synth/random.h"
#include "tests/app/synth_picture.h"

namespace glint {
namespace {

Moments momentsOf(const capture::Canvas& c) {
  return moments(0, c.width - 1, 0, c.height - 1, [&](size_t x, size_t y) { return c.row(y)[x]; });
}

struct Offset {
  double x, y;
};
constexpr Offset kOffsets[] = {{0, 0}, {0.5, 0.5}, {0.25, -0.37}, {-0.49, 0.11}, {0.03, 0.77}};

// Returns how far the centroid of a shape's pixels lies from its centre, which is at `offset` from
// a pixel's centre. Pixels round positions, so the bias is the Fourier series of rounding,
// multiplied by the shape's transform at k cycles/px.
template <class Transform>
double pixelBias(double offset, Transform transform) {
  double bias = 0;
  for (int k = 1; k <= 8; ++k)
    bias += (k % 2 == 0 ? 1 : -1) * std::sin(2 * std::numbers::pi * k * offset) * transform(k) /
            (std::numbers::pi * k);
  return bias;
}

double gaussianTransform(double sigma, int k) {
  return std::exp(-2 * std::pow(std::numbers::pi * sigma * k, 2));
}

TEST(SynthCanvas, GaussianHasItsMassAndCentroid) {
  for (const double sigma : {0.5, 1.0, 2.3})
    for (const Offset o : kOffsets) {
      capture::Canvas canvas(41, 37);
      capture::addGaussian(canvas, 20 + o.x, 18 + o.y, sigma, 150);
      const Moments m = momentsOf(canvas);
      const double mass = 2 * std::numbers::pi * sigma * sigma * 150;
      const auto transform = [&](int k) { return gaussianTransform(sigma, k); };
      EXPECT_NEAR(m.sum, mass, 1e-5 * mass);
      EXPECT_NEAR(m.x, 20 + o.x + pixelBias(o.x, transform), 1e-5);
      EXPECT_NEAR(m.y, 18 + o.y + pixelBias(o.y, transform), 1e-5);
    }
}

TEST(SynthCanvas, GaussianEqualsSupersampling) {
  const double cx = 7.31, cy = 8.77, sigma = 0.8;
  capture::Canvas canvas(16, 16);
  capture::addGaussian(canvas, cx, cy, sigma, 100);
  constexpr int n = 40;
  for (size_t y = 0; y < 16; ++y)
    for (size_t x = 0; x < 16; ++x) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const double u = static_cast<double>(x) - 0.5 + (i + 0.5) / n - cx;
          const double v = static_cast<double>(y) - 0.5 + (j + 0.5) / n - cy;
          sum += 100 * std::exp(-(u * u + v * v) / (2 * sigma * sigma));
        }
      EXPECT_NEAR(canvas.row(y)[x], sum / (n * n), 0.01) << x << ' ' << y;
    }
}

TEST(SynthCanvas, DiscHasItsMassAndCentroid) {
  for (const double radius : {0.7, 2.9, 6.0})
    for (const double blur : {0.2, 0.6, 1.5})
      for (const Offset o : kOffsets) {
        capture::Canvas canvas(41, 37);
        capture::addDisc(canvas, 20 + o.x, 18 + o.y, radius, blur, 200);
        const Moments m = momentsOf(canvas);
        const double mass = std::numbers::pi * radius * radius * 200;
        const auto transform = [&](int k) {
          const double u = 2 * std::numbers::pi * radius * k;
          return 2 * std::cyl_bessel_j(1, u) / u * gaussianTransform(blur, k);
        };
        EXPECT_NEAR(m.sum, mass, 1e-5 * mass);
        EXPECT_NEAR(m.x, 20 + o.x + pixelBias(o.x, transform), 1e-5);
        EXPECT_NEAR(m.y, 18 + o.y + pixelBias(o.y, transform), 1e-5);
      }
}

// The expected disc is drawn on a fine grid, blurred there by a sampled kernel, and summed over
// pixels.
TEST(SynthCanvas, DiscEqualsSupersampling) {
  constexpr int fine = 16, side = 20, n = fine * side;
  const double cx = 9.3, cy = 9.85, radius = 2.9, blur = 0.6, level = 200;
  const auto index = [](int x, int y) {
    return static_cast<size_t>(y) * n + static_cast<size_t>(x);
  };
  const auto place = [](int i) { return (i + 0.5) / fine - 0.5; };
  std::vector<double> disc(size_t{n} * n), half(disc.size()), whole(disc.size());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      disc[index(x, y)] = std::hypot(place(x) - cx, place(y) - cy) < radius;
  const int reach = static_cast<int>(5 * blur * fine);
  const auto smooth = [&](const auto& from, auto& to, int stepX, int stepY) {
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int k = -reach; k <= reach; ++k) {
          const int u = x + k * stepX, v = y + k * stepY;
          if (u < 0 || v < 0 || u >= n || v >= n) continue;
          const double t = k / (blur * fine);
          to[index(x, y)] += from[index(u, v)] * std::exp(-0.5 * t * t) /
                             (blur * fine * std::sqrt(2 * std::numbers::pi));
        }
  };
  smooth(disc, half, 1, 0);
  smooth(half, whole, 0, 1);

  capture::Canvas canvas(side, side);
  capture::addDisc(canvas, cx, cy, radius, blur, level);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      double sum = 0;
      for (int j = 0; j < fine; ++j)
        for (int i = 0; i < fine; ++i) sum += whole[index(x * fine + i, y * fine + j)];
      EXPECT_NEAR(canvas.row(static_cast<size_t>(y))[x], level * sum / (fine * fine),
                  0.005 * level);
    }
}

TEST(SynthCanvas, ShapesAreCutAtTheBorder) {
  capture::Canvas large(60, 60), small(20, 20);
  for (const Offset at : {Offset{-1.3, 5}, Offset{19.7, 19.6}, Offset{4, -40}, Offset{90, 3}}) {
    capture::addDisc(large, at.x + 20, at.y + 20, 4, 0.6, 100);
    capture::addDisc(small, at.x, at.y, 4, 0.6, 100);
    capture::addGaussian(large, at.x + 20, at.y + 20, 2, 100);
    capture::addGaussian(small, at.x, at.y, 2, 100);
  }
  for (size_t y = 0; y < 20; ++y)
    for (size_t x = 0; x < 20; ++x) EXPECT_NEAR(small.row(y)[x], large.row(y + 20)[x + 20], 1e-3);
}

struct Spread {
  double mean = 0, variance = 0;
};

Spread spreadOf(const Picture& p) {
  Spread s;
  const auto n = static_cast<double>(p.format.pixels());
  for (size_t y = 0; y < p.format.height; ++y)
    for (size_t x = 0; x < p.format.width; ++x) s.mean += p.at(x, y) / n;
  for (size_t y = 0; y < p.format.height; ++y)
    for (size_t x = 0; x < p.format.width; ++x)
      s.variance += (p.at(x, y) - s.mean) * (p.at(x, y) - s.mean) / n;
  return s;
}

TEST(SynthSensor, NoiseHasTheStatedMeanAndVariance) {
  for (const uint32_t bits : {8U, 16U})
    for (const capture::Sensor sensor :
         {capture::Sensor{3, 0}, capture::Sensor{0, 0.5}, capture::Sensor{2, 0.3}}) {
      capture::Canvas canvas(401, 300);
      std::fill(canvas.pixels.begin(), canvas.pixels.end(), 80.25F);
      Picture picture({401, 300, 1, bits});
      capture::expose(canvas, sensor, 7, picture.view());
      const Spread s = spreadOf(picture);
      const double scale = bits == 8 ? 1 : 257, n = 401 * 300;
      const double variance = scale * scale * (sensor.noise * sensor.noise + sensor.gain * 80.25) +
                              1.0 / 12;  // Rounding adds 1/12.
      EXPECT_NEAR(s.mean, scale * 80.25, 5 * std::sqrt(variance / n));
      EXPECT_NEAR(s.variance, variance, 5 * variance * std::sqrt(2 / n));
    }
}

TEST(SynthSensor, NormalsAreNormalAndIndependent) {
  std::vector<float> a(400000), b(a.size());
  capture::fillNormals(1, a);
  capture::fillNormals(2, b);
  const auto n = static_cast<double>(a.size());
  double fourth = 0, neighbours = 0, streams = 0;
  double beyond2 = 0, beyond3 = 0;
  for (size_t i = 0; i + 1 < a.size(); ++i) {
    const double v = static_cast<double>(a[i]);
    fourth += v * v * v * v / n;
    neighbours += v * static_cast<double>(a[i + 1]) / n;
    streams += v * static_cast<double>(b[i]) / n;
    beyond2 += std::abs(v) > 2;
    beyond3 += std::abs(v) > 3;
  }
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(neighbours, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(streams, 0, 5 / std::sqrt(n));
  const double share2 = std::erfc(2 / std::numbers::sqrt2),
               share3 = std::erfc(3 / std::numbers::sqrt2);
  EXPECT_NEAR(beyond2, n * share2, 5 * std::sqrt(n * share2));
  EXPECT_NEAR(beyond3, n * share3, 5 * std::sqrt(n * share3));
}

TEST(SynthSensor, LevelsAreRoundedAndSaturate) {
  capture::Canvas canvas(6, 1);
  canvas.pixels = {-3.0F, 0.4F, 0.6F, 254.4F, 255.6F, 9000.0F};
  Picture eight({6, 1, 1, 8}), sixteen({6, 1, 1, 16});
  capture::expose(canvas, {}, 1, eight.view());
  capture::expose(canvas, {}, 1, sixteen.view());
  const double expected8[] = {0, 0, 1, 254, 255, 255};
  const double expected16[] = {0, 103, 154, 65381, 65535, 65535};
  for (size_t x = 0; x < 6; ++x) {
    EXPECT_EQ(eight.at(x, 0), expected8[x]);
    EXPECT_EQ(sixteen.at(x, 0), expected16[x]);
  }
}

}  // namespace
}  // namespace glint
