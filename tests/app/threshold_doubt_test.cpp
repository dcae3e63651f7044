// Tests when markers that barely reach the threshold suggest that dimmer ones may be missing.
#include "app/motion/frame/threshold_doubt.h"

#include <gtest/gtest.h>

namespace glint {
namespace {

/// Returns markers of 100 counts on discs of radius 3 px. They are far above the noise, and `above`
/// counts above the threshold.
gpu::LayerMeasurement with(std::initializer_list<uint32_t> above) {
  gpu::LayerMeasurement measured;
  measured.threshold = 120;
  for (const uint32_t counts : above) {
    shared::Detection d{};
    d.peak = measured.threshold + counts;
    d.radius = 3;
    d.mass = 100 * 28.28F;
    d.sigmaX = d.sigmaY = 0.02F;
    measured.markers.push_back(d);
  }
  return measured;
}

TEST(ThresholdDoubt, CountsThoseWithinAQuarterOfTheContrast) {
  EXPECT_EQ(motion::countBarely(with({0, 10, 24, 26, 80}), {}), 3U);
  EXPECT_EQ(motion::countBarely(with({}), {}), 0U);
}

TEST(ThresholdDoubt, WhatIsFaintOrSaturatedSaysNothing) {
  gpu::LayerMeasurement measured = with({5, 5, 5});
  measured.markers[0].sigmaX = 0.1F;  // This gives a significance of 21.
  measured.markers[1].flags = shared::kFlagSaturated;
  EXPECT_EQ(motion::countBarely(measured, {}), 1U);
}

TEST(ThresholdDoubt, OnlyAnAutomaticThresholdOfTheMeasuredPlaneIsDoubted) {
  const gpu::LayerMeasurement measured = with({5, 5});
  const auto by = [&](auto&& set) {
    Settings settings;
    set(settings);
    return motion::countBarely(measured, settings);
  };
  EXPECT_EQ(by([](Settings& s) { s.detect.thresholdSigma = 4; }), 2U);
  EXPECT_EQ(by([](Settings& s) { s.response.dark = true; }), 2U);
  EXPECT_EQ(by([](Settings& s) { s.detect.threshold = 0.4; }), 0U);
  EXPECT_EQ(by([](Settings& s) { s.response.kind = ResponseKind::blur; }), 0U);
  EXPECT_EQ(by([](Settings& s) { s.response.kind = ResponseKind::dog; }), 0U);
  EXPECT_EQ(by([](Settings& s) { s.detect.method = DetectMethod::blobs; }), 0U);
  EXPECT_EQ(by([](Settings& s) { s.filters.emplace_back(); }), 0U);
}

/// Returns a disc of this radius (px) and contrast on a dark picture of 640x480, beside two
/// markers.
gpu::LayerMeasurement withDisc(float radius, float contrast) {
  gpu::LayerMeasurement measured = with({5, 5});
  measured.pixels = 640 * 480;
  const float area = 3.14159F * radius * radius;
  const double spread = 1e5 + double{area} * contrast * contrast;
  measured.response.squaresLow = static_cast<uint32_t>(spread);  // The mean is 0.
  shared::Detection& d = measured.markers.emplace_back(measured.markers.front());
  d.radius = radius;
  d.mass = area * contrast;
  d.flags = shared::kFlagSaturated;
  return measured;
}

TEST(ThresholdDoubt, ALampRaisesTheThreshold) {
  const gpu::LayerMeasurement measured = withDisc(20, 245);
  EXPECT_EQ(motion::lampOf(measured, {}), &measured.markers.back());
  // This disc is no larger than markers are.
  EXPECT_EQ(motion::lampOf(withDisc(9, 245), {}), nullptr);
  // This disc is a small part of the spread.
  EXPECT_EQ(motion::lampOf(withDisc(20, 5), {}), nullptr);
  Settings fixed;
  fixed.detect.threshold = 0.4;
  EXPECT_EQ(motion::lampOf(measured, fixed), nullptr);
  gpu::LayerMeasurement beside = withDisc(20, 245);
  beside.prominence = 5;  // With a prominence, the threshold follows from the ground.
  EXPECT_EQ(motion::lampOf(beside, {}), nullptr);
}

/// Returns a picture of 100,000 pixels whose background is 100 with noise of 2. The share `bright`
/// of it is well above that, and the threshold is `threshold`.
gpu::LayerMeasurement withGlare(double bright, uint32_t threshold) {
  gpu::LayerMeasurement measured = with({5, 5});
  measured.pixels = 100'000;
  measured.response.most = 255;
  measured.response.squaresLow = 4'000'000'000;  // The mean is 0.
  measured.threshold = threshold;
  gpu::Ground& ground = measured.ground;
  ground.all = 1000;
  ground.used = 800;
  ground.sum = 800 * 100;
  ground.squares = 800 * (100 * 100 + 2 * 2);
  ground.bright = static_cast<uint32_t>(1000 * bright);
  return measured;
}

TEST(ThresholdDoubt, GlareRaisesTheThreshold) {
  // Five standard deviations above the background would be 110.
  EXPECT_TRUE(motion::hasGlare(withGlare(0.05, 180), {}));
  EXPECT_TRUE(motion::hasGlare(withGlare(0.05, 120), {}));
  EXPECT_FALSE(motion::hasGlare(withGlare(0.05, 119), {}));
  EXPECT_FALSE(motion::hasGlare(withGlare(0.019, 180), {}));
  gpu::LayerMeasurement measured = withGlare(0.05, 180);
  measured.prominence = 5;  // With a prominence, the threshold follows from the ground.
  EXPECT_FALSE(motion::hasGlare(measured, {}));
  measured = withGlare(0.05, 180);
  measured.ground = {};
  EXPECT_FALSE(motion::hasGlare(measured, {}));
  Settings fixed;
  fixed.detect.threshold = 0.4;
  EXPECT_FALSE(motion::hasGlare(withGlare(0.05, 180), fixed));
}

TEST(ThresholdDoubt, LargeMarkersAreNoGlare) {
  gpu::LayerMeasurement measured = withGlare(0.05, 180);
  for (shared::Detection& d : measured.markers) d.radius = 25;  // 1,963 of 5,000 bright pixels each
  EXPECT_FALSE(motion::hasGlare(measured, {}));
  for (shared::Detection& d : measured.markers) d.radius = 18;  // 1,018 each
  EXPECT_TRUE(motion::hasGlare(measured, {}));
}

}  // namespace
}  // namespace glint
