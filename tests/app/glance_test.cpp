// Tests the signs of missing markers in a frame's pixels.
#include "app/motion/frame/glance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace glint {
namespace {

struct Spot {
  int x, y;
  double height;
};

constexpr int kWidth = 320, kHeight = 240;
constexpr double kLevel = 20, kSigma = 1.5;
constexpr uint32_t kThreshold = 80;

/// A picture of spots. Those above the threshold are its markers.
struct Scene {
  std::vector<std::byte> pixels = std::vector<std::byte>(size_t{kWidth} * kHeight);
  gpu::LayerMeasurement measured;
  bool dark;

  explicit Scene(const std::vector<Spot>& spots, double texture = 0, bool inverse = false)
      : dark(inverse) {
    std::mt19937 random(5);
    std::normal_distribution<> noise(0, 2);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        double value = kLevel + texture + texture * std::sin(x / 3.0) * std::sin(y / 3.0);
        for (const Spot& s : spots)
          value += s.height *
                   std::exp(-(std::pow(x - s.x, 2) + std::pow(y - s.y, 2)) / 2 / kSigma / kSigma);
        const auto byte =
            static_cast<uint8_t>(std::clamp(std::lround(value + noise(random)), 0L, 255L));
        pixels[static_cast<size_t>(y * kWidth + x)] =
            std::byte(dark ? static_cast<uint8_t>(255 - byte) : byte);
      }
    measured.threshold = kThreshold;
    for (const Spot& s : spots) {
      if (s.height < kThreshold) continue;
      shared::Detection d{};
      d.peakX = static_cast<uint32_t>(s.x), d.peakY = static_cast<uint32_t>(s.y);
      d.x = static_cast<float>(s.x), d.y = static_cast<float>(s.y);
      d.peak = static_cast<uint32_t>(s.height + kLevel);
      d.radius = 2 * kSigma, d.background = kLevel;
      measured.markers.push_back(d);
    }
  }

  motion::Glance glance(Settings settings = {}) {
    settings.response.dark = dark;
    const gpu::ImageView image{{kWidth, kHeight, 1, 8}, pixels.data(), kWidth};
    return motion::glanceAt(image, false, measured, settings);
  }
};

/// Returns spots on a grid. Every other one has the height `other`.
std::vector<Spot> grid(double height, double other) {
  std::vector<Spot> spots;
  for (int y = 20; y < kHeight - 20; y += 40)
    for (int x = 20; x < kWidth - 20; x += 40)
      spots.push_back({x, y, (x + y) / 40 % 2 == 0 ? height : other});
  return spots;
}

TEST(Glance, SeesADimmerKind) {
  EXPECT_TRUE(Scene(grid(200, 40)).glance().dimmer);
  EXPECT_TRUE(Scene(grid(200, 40), 0, true).glance().dimmer);
  EXPECT_FALSE(Scene(grid(200, 40)).glance().paired);
}

TEST(Glance, SaysNothingOfTheMarkersThemselvesAndOfNoise) {
  const motion::Glance seen = Scene(grid(200, 200)).glance();
  EXPECT_FALSE(seen.dimmer);
  EXPECT_FALSE(seen.paired);
  EXPECT_FALSE(Scene(grid(200, 0)).glance().dimmer);
  EXPECT_FALSE(Scene({}).glance().dimmer);
}

TEST(Glance, SaysNothingOfATexture) {
  EXPECT_FALSE(Scene(grid(200, 0), 15).glance().dimmer);
}

TEST(Glance, SaysNothingOfWhatDiffersMuchInHeight) {
  std::vector<Spot> spots = grid(200, 0);
  int count = 0;
  for (Spot& spot : spots)
    if (spot.height == 0) spot.height = ++count % 2 == 0 ? 16 : 56;
  EXPECT_FALSE(Scene(spots).glance().dimmer);
}

TEST(Glance, SeesPairs) {
  std::vector<Spot> spots = grid(200, 200);
  Scene one(spots);
  const gpu::LayerMeasurement firsts = one.measured;
  for (size_t i = 0; i < 4; ++i) spots.push_back({spots[i].x + 5, spots[i].y, 90});
  Scene scene(spots);
  scene.measured = firsts;
  EXPECT_TRUE(scene.glance().paired);
}

TEST(Glance, SaysNothingWhereTheThresholdIsSet) {
  Settings settings;
  settings.detect.threshold = 0.3;
  EXPECT_FALSE(Scene(grid(200, 40)).glance(settings).dimmer);
}

}  // namespace
}  // namespace glint
