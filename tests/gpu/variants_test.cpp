// Measuring one frame with many settings at once gives the same as measuring it with each of them.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/variant_detector.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

using reference::Image;

const gpu::ImageFormat kImage{300, 200, 1, 8};

/// Returns spots in noise, some of them so near that they are measured together.
Image spotsIn(std::vector<double> scene, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<test::Marker> markers;
  for (int i = 0; i < 24; ++i) {
    const double x = 299 * place(random), y = 199 * place(random);
    const double amplitude = 40 + 180 * place(random), sigma = 1 + 1.5 * place(random);
    markers.push_back({.x = x, .y = y, .amplitude = amplitude, .sigma = sigma});
    if (i % 3 == 0)
      markers.push_back(
          {.x = x + 4.2 * sigma, .y = y, .amplitude = 0.8 * amplitude, .sigma = sigma});
  }
  const std::vector<double> spots = test::render(kImage.width, kImage.height, markers, 10);
  for (size_t i = 0; i < scene.size(); ++i) scene[i] += spots[i];
  return test::expose(scene, kImage.width, {.readNoise = 3}, random);
}

std::vector<double> darkness() {
  return std::vector<double>(kImage.pixels(), 0);
}

/// Returns a lamp that fills an eighth of the image. Some thresholds then lie below it, with a
/// prominence.
std::vector<double> lamp() {
  std::vector<double> scene = darkness();
  for (uint32_t y = 20; y < 120; ++y)
    for (uint32_t x = 200; x < 275; ++x) scene[size_t{y} * kImage.width + x] = 150;
  return scene;
}

Image noise(uint32_t seed) {
  std::mt19937_64 random(seed);
  return test::expose(darkness(), kImage.width, {.background = 60, .readNoise = 25}, random);
}

std::vector<Settings> every(const std::vector<std::function<void(Settings&)>>& changes) {
  std::vector<Settings> all;
  for (const double separation : {1.0, 4.0, 9.5})
    for (const auto& change : changes) {
      Settings settings;
      settings.detect.separation = separation;
      change(settings);
      all.push_back(settings);
    }
  return all;
}

const std::vector<std::function<void(Settings&)>> kThresholds{
    [](Settings& s) { s.detect.thresholdSigma = 0.5; },
    [](Settings& s) { s.detect.thresholdSigma = 2; },
    [](Settings& s) { s.detect.thresholdSigma = 5; },
    [](Settings& s) { s.detect.threshold = 0.4; }};
const std::vector<std::function<void(Settings&)>> kLimits{
    [](Settings& s) { s.detect.maxMarkers = 5; },
    [](Settings& s) { s.detect.minRadius = 3; },
    [](Settings& s) { s.detect.maxRadius = 4; },
    [](Settings& s) { s.detect.maxEccentricity = 1; },
    [](Settings& s) { s.detect.minSignificance = 30; },
    [](Settings& s) { s.refine.radius = 5; },
    [](Settings& s) {
      s.refine.method = RefineMethod::none;
      s.detect.maxEccentricity = 1;
    }};

struct Seen {
  size_t left = 0;     ///< variants that were left to a Detector
  size_t markers = 0;  ///< markers of all other variants
  bool prominent = false;
};

Seen expectAsAlone(const std::vector<Image>& images, const std::vector<Settings>& variants,
                   const gpu::Masks& masks = nullptr) {
  const gpu::FrameFormat format{kImage, static_cast<uint32_t>(images.size())};
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector alone(test::device(), format, {});
  std::vector<std::shared_ptr<const Settings>> shared;
  for (const Settings& settings : variants)
    shared.push_back(std::make_shared<const Settings>(settings));
  gpu::VariantDetector together(test::device(), format, shared, masks);
  Seen seen;
  std::vector<gpu::LayerExpectation> expectations(images.size());
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto frame = test::lease(pool, images);
    const auto statistics = alone.measure(frame, {.settings = shared[0], .masks = masks});
    for (size_t i = 0; i < images.size(); ++i)
      expectations[i] = {statistics[i].values, statistics[i].pixels, {}, statistics[i].ground};
    together.submit(frame, expectations);
    const auto all = together.collect();
    EXPECT_EQ(all.size(), variants.size());
    for (size_t v = 0; v < variants.size(); ++v) {
      if (!all[v]) {
        ++seen.left;
        continue;
      }
      alone.submit(frame, {.settings = shared[v], .masks = masks},
                   gpu::makeFeedback(variants[v], kImage, expectations));
      const auto want = alone.collect();
      for (size_t i = 0; i < images.size(); ++i) {
        const gpu::LayerMeasurement &a = want->layers[i], &b = (*all[v])[i];
        EXPECT_EQ(a.threshold, b.threshold);
        EXPECT_EQ(a.prominence, b.prominence);
        EXPECT_EQ(a.pixels, b.pixels);
        EXPECT_EQ(a.partial, b.partial);
        EXPECT_EQ(a.elongated, b.elongated);
        EXPECT_EQ(std::memcmp(&a.response, &b.response, sizeof a.response), 0);
        EXPECT_EQ(a.markers.size(), b.markers.size()) << "variant " << v;
        if (a.markers.size() != b.markers.size()) continue;
        for (size_t k = 0; k < a.markers.size(); ++k)
          EXPECT_EQ(std::memcmp(&a.markers[k], &b.markers[k], sizeof a.markers[k]), 0)
              << "variant " << v << ", marker " << k;
        seen.markers += b.markers.size();
        seen.prominent |= b.prominence != 0;
      }
    }
  }
  return seen;
}

TEST(Variants, OfThresholdAndSeparation) {
  const Seen seen =
      expectAsAlone({spotsIn(darkness(), 1), spotsIn(darkness(), 2)}, every(kThresholds));
  EXPECT_EQ(seen.left, 0U);
  EXPECT_GT(seen.markers, 24U * 20);
}

TEST(Variants, OfLimitsAndFits) {
  const Seen seen = expectAsAlone({spotsIn(darkness(), 3)}, every(kLimits));
  EXPECT_EQ(seen.left, 0U);
  EXPECT_GT(seen.markers, 24U * 5);
}

TEST(Variants, BesideALampEachThresholdIsSoughtByItself) {
  const Seen seen = expectAsAlone({spotsIn(lamp(), 4), spotsIn(darkness(), 5)}, every(kThresholds));
  EXPECT_EQ(seen.left, 0U);
  EXPECT_TRUE(seen.prominent);
}

TEST(Variants, OfMaskedImages) {
  gpu::LayerMask half{kImage.width, kImage.height, {}};
  for (size_t i = 0; i < kImage.pixels(); ++i)
    half.pixels.push_back(i % kImage.width < 160 ? 1 : 0);
  const auto masks = std::make_shared<const std::vector<gpu::LayerMask>>(std::vector{half});
  const Seen seen = expectAsAlone({spotsIn(darkness(), 6)}, every(kThresholds), masks);
  EXPECT_EQ(seen.left, 0U);
  EXPECT_GT(seen.markers, 24U);
}

/// The lowest threshold finds more candidates than are listed, but the others still share their
/// work.
TEST(Variants, OfCrowdedImagesAreLeftAlone) {
  const Seen seen = expectAsAlone({noise(7)}, every(kThresholds));
  EXPECT_GT(seen.left, 0U);
  EXPECT_LT(seen.left, 2 * every(kThresholds).size());
}

}  // namespace
}  // namespace glint
