// Markers that cover much of a picture do not hide themselves. The ground below them is found from
// samples, by its definition. It sets the threshold where markers are crowded, and nowhere else.
#include "gpu/crowd.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/samples.h"
#include "gpu/statistics.h"
#include "tests/gpu/reference.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

constexpr uint32_t kColumns = 50;

std::vector<uint32_t> gridOf(const std::function<uint32_t(uint32_t x, uint32_t y)>& value,
                             uint32_t rows = 40) {
  std::vector<uint32_t> values;
  for (uint32_t y = 0; y < rows; ++y)
    for (uint32_t x = 0; x < kColumns; ++x) values.push_back(value(x, y));
  return values;
}

TEST(SortedSamples, AreThoseThatCount) {
  std::mt19937 random(3);
  for (const uint32_t bits : {0, 1, 8, 9, 16, 25, 32})
    for (const size_t count : {0, 1, 2, 255, 2048}) {
      SCOPED_TRACE(testing::Message() << count << " of " << bits << " bits");
      std::vector<uint32_t> samples(count), expected;
      for (uint32_t& sample : samples) {
        sample =
            random() % 9 == 0 ? gpu::kUncounted : static_cast<uint32_t>(random() % (1ULL << bits));
        if (sample != gpu::kUncounted) expected.push_back(sample);
      }
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(gpu::sortedSamples(samples), expected);
    }
}

/// Returns grounds with markers on them, with and without samples that do not count.
std::vector<std::vector<uint32_t>> manyGrids() {
  std::mt19937 random(5);
  const auto noise = [&](uint32_t about, uint32_t wide) { return about + random() % wide; };
  const auto one = [&](uint32_t in) { return random() % in == 0; };
  return {gridOf([](uint32_t, uint32_t) { return 7; }),
          gridOf([&](uint32_t, uint32_t) { return noise(0, 256); }),
          gridOf([&](uint32_t, uint32_t) { return noise(40, 5); }),
          gridOf([&](uint32_t, uint32_t) { return one(9) ? noise(60, 190) : noise(30, 7); }),
          gridOf([&](uint32_t, uint32_t) { return one(3)   ? ~0U
                                                  : one(5) ? 255
                                                           : noise(90, 4); }),
          gridOf([&](uint32_t x, uint32_t) { return x < 20 ? noise(200, 9) : noise(20, 3); }),
          gridOf([&](uint32_t x, uint32_t y) { return (x + y) % 5 == 0 ? 180 : noise(20, 3); }),
          gridOf([](uint32_t x, uint32_t) { return 3 * x; }),
          gridOf([](uint32_t x, uint32_t) { return 65535 - x % 3; }),
          gridOf([&](uint32_t, uint32_t) { return one(40) ? 0 : noise(100, 3); }),
          gridOf([](uint32_t, uint32_t) { return ~0U; }),
          gridOf([&](uint32_t, uint32_t) { return noise(9, 3); }, 1)};
}

TEST(Crowd, IsWhatItsDefinitionSays) {
  size_t number = 0;
  for (const auto& values : manyGrids()) {
    for (const uint32_t step : {1U, 5U, 12U, 40U}) {
      SCOPED_TRACE(testing::Message() << "grid " << number << ", step " << step);
      const gpu::Crowd got = gpu::crowdOf({values, kColumns, step});
      const reference::Crowd want = reference::crowd(values, kColumns, step);
      EXPECT_EQ(got.all, want.all);
      EXPECT_EQ(got.bright, want.bright);
      EXPECT_EQ(got.level, want.level);
      EXPECT_EQ(got.noise, want.noise);
      EXPECT_EQ(got.height, want.height);
      EXPECT_EQ(got.lumps, want.lumps);
    }
    ++number;
  }
}

TEST(Crowd, SetsTheThresholdWhereTheUsualOneMissesMarkers) {
  const gpu::Crowd crowd{
      .all = 1000, .bright = 100, .level = 20, .noise = 2, .height = 100, .lumps = 0.1};
  EXPECT_EQ(gpu::crowdedLevel(crowd, 5, 140), 45) << "a quarter of their height";
  EXPECT_EQ(gpu::crowdedLevel(crowd, 15, 140), 50) << "fifteen deviations";
  EXPECT_EQ(gpu::crowdedLevel(crowd, 5, 100), 100) << "0.8 of their height";
  EXPECT_DOUBLE_EQ(gpu::crowdedLevel(crowd, 5, 110), 110 - 0.5 * 65) << "half way";
  EXPECT_EQ(gpu::crowdedLevel(crowd, 50, 115), 115) << "never above the usual one";
  const auto changed = [&](auto&& change) {
    gpu::Crowd other = crowd;
    change(other);
    return gpu::crowdedLevel(other, 5, 140);
  };
  EXPECT_EQ(changed([](gpu::Crowd& c) { c.bright = 20; }), 140) << "few";
  EXPECT_DOUBLE_EQ(changed([](gpu::Crowd& c) { c.bright = 25; }), 140 - 0.5 * 95);
  EXPECT_EQ(changed([](gpu::Crowd& c) { c.lumps = 0.6; }), 140) << "large areas";
  EXPECT_EQ(gpu::crowdedLevel({}, 5, 140), 140) << "no estimate";
  EXPECT_EQ(gpu::crowdedLevel(crowd, 5, 140, {.minHeight = 0.5}), 70) << "half of their height";
  EXPECT_EQ(gpu::crowdedLevel(crowd, 5, 140, {.maxLumps = 0.1}), 140) << "areas by this limit";
}

/// The detector is made once, since that takes most of the time.
class CrowdedFrames : public testing::Test {
 protected:
  static constexpr uint32_t kWidth = 320, kHeight = 240;
  struct Eye {
    gpu::FrameFormat format{{kWidth, kHeight, 1, 8}, 1};
    gpu::FramePool pool{test::device(), format, 2};
    gpu::Detector detector{test::device(), format, {}};
  };
  static void SetUpTestSuite() { eye_ = std::make_unique<Eye>(); }
  static void TearDownTestSuite() { eye_.reset(); }

  /// Measures the markers as the first frame of all, with default settings and enough room.
  static gpu::LayerMeasurement measured(const std::vector<test::Marker>& markers,
                                        const test::Sensor& sensor) {
    std::mt19937_64 random(3);
    const auto image = test::expose(test::render(kWidth, kHeight, markers, sensor.background),
                                    kWidth, sensor, random);
    Settings settings;
    settings.detect.maxMarkers = 1024;
    const auto frame = test::lease(eye_->pool, {image});
    const auto own =
        eye_->detector.measure(frame, {std::make_shared<const Settings>(settings)}).front();
    usual_ = gpu::automaticThreshold(own.values, own.pixels, settings.detect.thresholdSigma, 255);
    const std::vector<gpu::LayerExpectation> expected{{own.values, own.pixels, {}, own.ground}};
    eye_->detector.submit(frame, {std::make_shared<const Settings>(settings)},
                          gpu::makeFeedback(settings, eye_->format.image, expected));
    gpu::LayerMeasurement result = eye_->detector.collect()->layers[0];
    // The frame passes on the ground that it was given.
    EXPECT_EQ(result.ground, own.ground);
    return result;
  }

  static size_t foundOf(const std::vector<test::Marker>& markers,
                        const gpu::LayerMeasurement& measured) {
    size_t found = 0;
    for (const test::Marker& marker : markers)
      for (const auto& d : measured.markers)
        if (std::hypot(d.x - marker.x, d.y - marker.y) < 0.7) {
          ++found;
          break;
        }
    return found;
  }

  static inline std::unique_ptr<Eye> eye_;
  static inline uint32_t usual_ = 0;
};

/// Returns spots on a grid with a spacing of `apart` px, each shifted by up to a pixel.
std::vector<test::Marker> spotsOnAGrid(double apart, double sigma, double dim, double bright) {
  std::mt19937 random(9);
  const auto between = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random() % 1000) / 999;
  };
  std::vector<test::Marker> markers;
  for (double y = 10; y < 230; y += apart)
    for (double x = 10; x < 310; x += apart)
      markers.push_back({.x = x + between(-1, 1),
                         .y = y + between(-1, 1),
                         .amplitude = between(dim, bright),
                         .sigma = sigma});
  return markers;
}

TEST_F(CrowdedFrames, HideNoMarkers) {
  for (const double background : {10.0, 60.0, 120.0})
    for (const auto& [apart, sigma] : {std::pair{8.0, 1.5}, {9.0, 2.0}, {12.0, 2.5}}) {
      SCOPED_TRACE(testing::Message() << "on " << background << ", " << apart << " px apart");
      const auto markers = spotsOnAGrid(apart, sigma, 50, 110);
      const auto found = measured(markers, {.background = background, .readNoise = 3});
      EXPECT_GE(foundOf(markers, found), 0.95 * double(markers.size()));
      EXPECT_LE(double(found.markers.size()), 1.02 * double(markers.size()));
    }
}

TEST_F(CrowdedFrames, AreOnlyThoseWhereMarkersAreMany) {
  for (const double apart : {40.0, 75.0, 150.0}) {
    SCOPED_TRACE(apart);
    const auto found =
        measured(spotsOnAGrid(apart, 2, 120, 200), {.background = 10, .readNoise = 2});
    EXPECT_EQ(found.threshold, usual_);
  }
}

}  // namespace
}  // namespace glint
