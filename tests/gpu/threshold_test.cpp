// Thresholds from statistics: their definition, and the effect of bright areas.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/detect/feedback.h"
#include "gpu/statistics.h"
#include "tests/gpu/reference.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

TEST(Threshold, FollowsItsDefinition) {
  const auto images = test::makeImages(test::patterns()[0], {101, 97, 1, 16}, 1);
  const auto s = reference::statistics(images[0]);
  const shared::PlaneStatistics plane{uint32_t(s.sum),
                                      uint32_t(s.sum >> 32),
                                      uint32_t(s.squares),
                                      uint32_t(s.squares >> 32),
                                      0,
                                      0,
                                      0,
                                      0};
  const uint64_t n = images[0].values.size();
  // Two passes in long double are the independent definition.
  long double mu = 0, square = 0;
  for (const auto v : images[0].values) mu += v;
  mu /= static_cast<long double>(n);
  for (const auto v : images[0].values) square += (v - mu) * (v - mu);
  square /= static_cast<long double>(n);
  EXPECT_NEAR(gpu::mean(plane, n), double(mu), 1e-12 * double(mu));
  EXPECT_NEAR(gpu::variance(plane, n), double(square), 1e-12 * double(square));
  EXPECT_EQ(gpu::automaticThreshold(plane, n, 1.25, 65535),
            uint32_t(std::ceil(mu + 1.25L * std::sqrt(square))));
  EXPECT_EQ(gpu::automaticThreshold(plane, n, 1000, 65535), 65535U);
  EXPECT_EQ(gpu::automaticThreshold({}, n, 5, 255), 1U);
  EXPECT_EQ(gpu::fixedThreshold(0, 255), 0U);
  EXPECT_EQ(gpu::fixedThreshold(0.5, 255), 128U);
  EXPECT_EQ(gpu::fixedThreshold(1, 65535), 65535U);
}

TEST(Threshold, OfABandStaysBelowTheHighest) {
  const auto thresholdOf = [](ResponseKind kind, uint32_t count, uint32_t value) {
    Settings settings;
    settings.response.kind = kind;
    // 1000 pixels, of which `count` have the value, and the others are zero.
    gpu::LayerExpectation layer;
    layer.response = {count * value, 0, count * value * value, 0, 0, 0, value, 0};
    layer.pixels = 1000;
    return gpu::makeFeedback(settings, {40, 25, 1, 8}, {&layer, 1}).layers[0].threshold;
  };
  EXPECT_EQ(thresholdOf(ResponseKind::dog, 2, 200), 46U) << "mean and five deviations";
  EXPECT_EQ(thresholdOf(ResponseKind::blur, 20, 200), 144U);
  EXPECT_EQ(thresholdOf(ResponseKind::dog, 20, 200), 134U) << "two thirds of the highest";
  EXPECT_EQ(thresholdOf(ResponseKind::dog, 60, 200), 155U) << "mean and three deviations";
  EXPECT_EQ(thresholdOf(ResponseKind::dog, 200, 200), 255U);
}

/// Returns values of which two in three are about 20, 18 to 22 in equal parts, and the rest come
/// from `bright`.
std::vector<uint32_t> groundAnd(const std::function<uint32_t(uint32_t)>& bright) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < 1500; ++i) values.push_back(i % 3 != 0 ? 18 + i * 7 % 5 : bright(i / 3));
  values.push_back(~0U);
  return values;
}

TEST(Threshold, TheGroundLeavesOutWhatIsBright) {
  for (const auto& bright : std::vector<std::function<uint32_t(uint32_t)>>{
           [](uint32_t) { return 255U; }, [](uint32_t i) { return 60 + i % 150; },
           [](uint32_t i) { return i % 2 == 0 ? 255U : 40 + i % 7; }}) {
    const gpu::Ground ground = gpu::groundOf(groundAnd(bright), 255);
    EXPECT_EQ(ground.all, 1500U);
    EXPECT_EQ(ground.used, 1000U);
    EXPECT_EQ(ground.sum, 20'000U);
    EXPECT_EQ(ground.squares, 402'000U);  // the variance is 2
    EXPECT_EQ(ground.bright, 500U);
  }
  EXPECT_EQ(gpu::groundOf(std::vector<uint32_t>(63, 5), 255).used, 0U) << "too few";
  EXPECT_EQ(gpu::groundOf(std::vector<uint32_t>(2048, ~0U), 255).used, 0U) << "all masked";
}

TEST(Threshold, LampsDoNotRaiseIt) {
  const uint64_t n = 100'000;
  const auto spread = [&](uint64_t bright, uint32_t value) {  // the other pixels are 20
    const uint64_t sum = bright * value + (n - bright) * 20;
    const uint64_t squares = bright * value * value + (n - bright) * 400;
    return shared::PlaneStatistics{uint32_t(sum),
                                   uint32_t(sum >> 32),
                                   uint32_t(squares),
                                   uint32_t(squares >> 32),
                                   20,
                                   0,
                                   value,
                                   0};
  };
  const gpu::Ground ground{1000, 900, 18'000, 363'600, 100};  // mean 20, variance 4
  const auto strip = spread(n / 10, 255);
  EXPECT_TRUE(gpu::isWide(strip, n));
  const gpu::Level level = gpu::automaticLevel(strip, n, ground, 5, 255);
  EXPECT_EQ(level.threshold, 30U);
  EXPECT_EQ(level.prominence, 5U);
  EXPECT_EQ(gpu::automaticLevel(strip, n, ground, 2, 255).threshold, 28U) << "1/32 of the way";
  EXPECT_EQ(gpu::automaticLevel(strip, n, {}, 5, 255).threshold, 255U) << "as ever";
  gpu::Ground markers = ground;
  markers.bright = 19;
  EXPECT_EQ(gpu::automaticLevel(strip, n, markers, 5, 255).threshold, 255U)
      << "as many are no lamp";
  gpu::Ground grey = ground;
  grey.sum = 900 * 80;
  grey.squares = 900 * 6404;
  EXPECT_EQ(gpu::automaticLevel(strip, n, grey, 5, 255).threshold, 255U) << "a bright scene";
  gpu::Ground rough = ground;
  rough.squares = 900 * (400 + 200);
  EXPECT_EQ(gpu::automaticLevel(strip, n, rough, 5, 255).threshold, 255U) << "not dark throughout";
  EXPECT_FALSE(gpu::isWide(spread(n / 1000, 255), n)) << "a few markers";
  EXPECT_TRUE(gpu::isWide(spread(n / 1000, 255), n, {.wideShare = 0.0005}));
  EXPECT_EQ(gpu::automaticLevel(strip, n, markers, 5, 255, {.minBrightShare = 0.01}).threshold,
            30U);
  EXPECT_EQ(gpu::automaticLevel(strip, n, ground, 2, 255, {.minHeight = 1.0 / 16}).threshold, 35U)
      << "20 + 235 / 16";
}

}  // namespace
}  // namespace glint
