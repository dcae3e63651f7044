// Tests objects that are much longer than wide, with the setting for such objects: the precision of
// their places along and across, compared with their centroid and their stated uncertainty. The
// truth comes from areas that ellipses cover, and a blur.
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/limits.h"
#include "tests/gpu/refine_cases.h"
#include "tests/gpu/refine_reference.h"

namespace glint {
namespace {

constexpr double kGround = 70, kLight = 90, kBlur = 0.7;

struct LongThing {
  double x, y, angle;
};

struct LongScene {
  uint32_t cell = 0, width = 0;
  std::vector<LongThing> things;
  std::vector<double> clean;  ///< values of the pixels without noise
  reference::Image image;
  std::vector<reference::Peak> starts;
};

/// Returns the part of the pixel that lies within the ellipse.
double covered(double dx, double dy, double half, double aspect, double angle) {
  constexpr int kSub = 16;
  int inside = 0;
  for (int i = 0; i < kSub * kSub; ++i) {
    const double x = dx + (i % kSub + 0.5) / kSub - 0.5, y = dy + (i / kSub + 0.5) / kSub - 0.5;
    const double u = (x * std::cos(angle) + y * std::sin(angle)) / (half * aspect);
    const double v = (y * std::cos(angle) - x * std::sin(angle)) / half;
    inside += u * u + v * v < 1 ? 1 : 0;
  }
  return double(inside) / (kSub * kSub);
}

/// Blurs along x, and returns the transposed image.
std::vector<double> blurred(const std::vector<double>& scene, uint32_t width) {
  const auto height = static_cast<uint32_t>(scene.size()) / width;
  constexpr int kReach = 4;
  std::array<double, 2 * kReach + 1> weights{};
  double sum = 0;
  for (int k = -kReach; k <= kReach; ++k)
    sum += weights[static_cast<size_t>(k + kReach)] = std::exp(-k * k / (2 * kBlur * kBlur));
  std::vector<double> out(scene.size(), kGround);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = kReach; x + kReach < width; ++x) {
      double v = 0;
      for (uint32_t k = 0; k <= 2 * kReach; ++k)
        v += weights[k] * scene[size_t{y} * width + x + k - kReach];
      out[size_t{x} * height + y] = v / sum;
    }
  }
  return out;
}

/// Makes ellipses in all directions at random fractions of a pixel. They are always the same.
LongScene makeLong(double half, double aspect, uint32_t side) {
  LongScene s;
  s.cell = static_cast<uint32_t>(2 * half * aspect + 24), s.width = side * s.cell;
  std::mt19937_64 random(77);
  std::uniform_real_distribution<double> phase(-0.5, 0.5), angle(0, std::numbers::pi);
  std::vector<double> sharp(size_t{s.width} * s.width, kGround);
  for (uint32_t i = 0; i < side * side; ++i) {
    const uint32_t left = i % side * s.cell, top = i / side * s.cell;
    const double x = left + s.cell / 2 + phase(random), y = top + s.cell / 2 + phase(random);
    const auto& t = s.things.emplace_back(LongThing{x, y, angle(random)});
    for (uint32_t v = top; v < top + s.cell; ++v)
      for (uint32_t u = left; u < left + s.cell; ++u)
        sharp[size_t{v} * s.width + u] += kLight * covered(u - t.x, v - t.y, half, aspect, t.angle);
  }
  s.clean = blurred(blurred(sharp, s.width), s.width);
  s.image = test::expose(s.clean, s.width, {.readNoise = 2, .shotGain = 0}, random);
  for (const LongThing& t : s.things) s.starts.push_back(test::brightest(s.image, t.x, t.y, 2));
  return s;
}

/// Returns the mean place of the pixels, weighted by their light, where there is any without noise.
std::array<double, 2> centroid(const LongScene& s, size_t i) {
  const auto side = s.width / s.cell;
  const auto left = static_cast<uint32_t>(i) % side * s.cell,
             top = static_cast<uint32_t>(i) / side * s.cell;
  double sum = 0, x = 0, y = 0;
  for (uint32_t v = top; v < top + s.cell; ++v) {
    for (uint32_t u = left; u < left + s.cell; ++u) {
      if (s.clean[size_t{v} * s.width + u] < kGround + 0.5) continue;
      const double light = s.image.at(u, v) - kGround;
      sum += light, x += light * u, y += light * v;
    }
  }
  return {x / sum, y / sum};
}

/// Root mean square errors in px, and relative to the stated sigmas.
struct LongErrors {
  double along = 0, across = 0, relative = 0;
};

void add(LongErrors& sum, const LongThing& t, double x, double y) {
  sum.along += std::pow((x - t.x) * std::cos(t.angle) + (y - t.y) * std::sin(t.angle), 2);
  sum.across += std::pow((y - t.y) * std::cos(t.angle) - (x - t.x) * std::sin(t.angle), 2);
}

LongErrors rooted(const LongErrors& sum, size_t n) {
  const auto root = [n](double v) { return std::sqrt(v / double(n)); };
  return {root(sum.along), root(sum.across), root(sum.relative)};
}

TEST(RefineLong, IsPlacedAsExactlyAsItsSigmaSays) {
  for (const double half : {2.5, 4.0}) {
    for (const double aspect : {2.0, 3.0, 4.0}) {
      SCOPED_TRACE(std::to_string(aspect) + " times as long as " + std::to_string(2 * half) +
                   " px wide");
      const LongScene s = makeLong(half, aspect, 14);
      const auto found = test::refineOnDevice(s.image, s.starts, true);
      LongErrors own, centroids;
      for (size_t i = 0; i < found.size(); ++i) {
        const LongThing& t = s.things[i];
        const auto& d = found[i];
        add(own, t, d.x, d.y);
        own.relative +=
            (std::pow((d.x - t.x) / d.sigmaX, 2) + std::pow((d.y - t.y) / d.sigmaY, 2)) / 2;
        const auto middle = centroid(s, i);
        add(centroids, t, middle[0], middle[1]);
        EXPECT_NEAR(d.radius, half * std::sqrt(aspect), 0.1 * d.radius) << "of the same area";
        EXPECT_NEAR(d.eccentricity, std::sqrt(1 - 1 / (aspect * aspect)), 0.05);
      }
      own = rooted(own, found.size()), centroids = rooted(centroids, found.size());
      EXPECT_LT(own.along, centroids.along);
      EXPECT_LT(own.across, centroids.across);
      EXPECT_GT(own.relative, 0.8);
      EXPECT_LT(own.relative, 1.25);
    }
  }
}

TEST(RefineLong, LinesAreToldFromThem) {
  const LongScene s = makeLong(1.5, 14, 5);
  for (const auto& d : test::refineOnDevice(s.image, s.starts, true)) {
    EXPECT_GT(d.eccentricity, gpu::kElongated);
  }
}

TEST(RefineLong, NearTheBorderTheyAreNoRounder) {
  const LongScene s = makeLong(2.5, 4, 1);
  const LongThing& t = s.things[0];
  const double end = t.x + 10 * std::hypot(std::cos(t.angle), std::sin(t.angle) / 4);
  for (const uint32_t left : {3U, 5U, 8U, 12U}) {
    SCOPED_TRACE(left);
    const auto width = static_cast<uint32_t>(std::ceil(end)) + left;
    reference::Image image{{width, s.width, 1, 8}, {}};
    for (uint32_t i = 0; i < width * s.width; ++i)
      image.values.push_back(static_cast<uint16_t>(s.image.at(i % width, i / width)));
    const auto d = test::refineOnDevice(image, s.starts, true)[0];
    EXPECT_LT(std::hypot(d.x - t.x, d.y - t.y), 0.1);
    EXPECT_NEAR(d.eccentricity, std::sqrt(1 - 1.0 / 16), 0.03);
    const auto want = reference::refine(image, s.starts[0], 0, {.elongated = true});
    EXPECT_NEAR(d.x, want.x, 1e-3);
    EXPECT_NEAR(d.y, want.y, 1e-3);
    EXPECT_EQ(d.flags, want.flags);
  }
}

TEST(RefineLong, AgreesWithItsReference) {
  for (const double aspect : {1.0, 2.0, 4.0}) {
    const LongScene s = makeLong(2.5, aspect, 5);
    const auto found = test::refineOnDevice(s.image, s.starts, true);
    for (size_t i = 0; i < found.size(); ++i) {
      const auto want = reference::refine(s.image, s.starts[i], 0, {.elongated = true});
      EXPECT_NEAR(found[i].x, want.x, 1e-3);
      EXPECT_NEAR(found[i].y, want.y, 1e-3);
      EXPECT_NEAR(found[i].sigmaX, want.sigmaX, 0.02 * want.sigmaX + 1e-4);
      EXPECT_NEAR(found[i].sigmaY, want.sigmaY, 0.02 * want.sigmaY + 1e-4);
      EXPECT_NEAR(found[i].eccentricity, want.eccentricity, 1e-2);
      EXPECT_NEAR(found[i].radius, want.radius, 2e-2);
    }
  }
}

/// Gaussian spots, long and round, from bright ones to those whose shape is hidden by noise.
TEST(RefineLong, SpotsAreAsExactAsTheBound) {
  for (const double aspect : {1.0, 0.5, 0.3}) {
    for (const double amplitude : {30.0, 180.0}) {
      SCOPED_TRACE("aspect " + std::to_string(aspect) + ", amplitude " + std::to_string(amplitude));
      const test::Marker spot{.amplitude = amplitude, .sigma = 1.5 / aspect, .aspect = aspect};
      const test::Sensor sensor;
      const auto field = test::makeField(spot, sensor, 400);
      const auto found = test::refineOnDevice(field.image, field.starts, true);
      std::vector<test::Sample> samples;
      for (size_t i = 0; i < found.size(); ++i) samples.push_back({field.truth[i], found[i]});
      const auto all = test::summarise(samples);
      double along = 0;
      for (const auto& sample : samples)
        along += sample.errorX() * sample.errorX() / double(samples.size());
      EXPECT_LT(std::sqrt(along), 1.2 * test::bound(spot, sensor));
      EXPECT_GT(all.relative, 0.8);
      EXPECT_LT(all.relative, 1.25);
    }
  }
}

}  // namespace
}  // namespace glint
