// With default settings, a marker is a peak in every direction. So there are no markers on lines
// and edges, and one marker for each light, however large and structured it is.
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

constexpr uint32_t kWidth = 320, kHeight = 240;
using Light = std::function<double(double x, double y)>;

/// The detector, which is made once, since that takes most of the time.
struct Eye {
  gpu::FrameFormat format{{kWidth, kHeight, 1, 8}, 1};
  gpu::FramePool pool{test::device(), format, 2};
  gpu::Detector detector{test::device(), format, {}};
};
class Prominence : public testing::Test {
 protected:
  static void SetUpTestSuite() { eye_ = std::make_unique<Eye>(); }
  static void TearDownTestSuite() { eye_.reset(); }
  static std::vector<shared::Detection> markersIn(const Light& light, double threshold,
                                                  double noise, bool spots = true);
  static std::vector<shared::Detection> markersByItself(const std::vector<test::Marker>& markers,
                                                        const Light& light);
  static inline std::unique_ptr<Eye> eye_;
};

/// Returns the markers that default settings find above `threshold` (a share of full scale) in
/// three spots, `light`, and noise of `noise` counts.
std::vector<shared::Detection> Prominence::markersIn(const Light& light, double threshold,
                                                     double noise, bool spots) {
  std::vector<test::Marker> markers;
  if (spots)
    markers = {{.x = 60.3, .y = 50.8, .amplitude = 200, .sigma = 1.5},
               {.x = 250.6, .y = 40.1, .amplitude = 120, .sigma = 2},
               {.x = 160.2, .y = 210.7, .amplitude = 200, .sigma = 0.6, .radius = 4}};
  std::vector<double> scene = test::render(kWidth, kHeight, markers, 5);
  for (uint32_t y = 0; y < kHeight; ++y)
    for (uint32_t x = 0; x < kWidth; ++x) scene[size_t{y} * kWidth + x] += light(x, y);
  std::mt19937_64 random(7);
  const auto image =
      test::expose(scene, kWidth, {.background = 5, .readNoise = noise, .shotGain = 0}, random);
  Settings settings;
  settings.detect.threshold = threshold;
  eye_->detector.submit(
      test::lease(eye_->pool, {image}), {std::make_shared<const Settings>(settings)},
      gpu::makeFeedback(settings, eye_->format.image, std::vector<gpu::LayerExpectation>(1)));
  return eye_->detector.collect()->layers[0].markers;
}

/// Returns the markers that the automatic threshold finds in a first frame: `markers` and `light`
/// on 10 counts, with noise of 2.
std::vector<shared::Detection> Prominence::markersByItself(const std::vector<test::Marker>& markers,
                                                           const Light& light) {
  std::vector<double> scene = test::render(kWidth, kHeight, markers, 10);
  for (uint32_t y = 0; y < kHeight; ++y)
    for (uint32_t x = 0; x < kWidth; ++x) scene[size_t{y} * kWidth + x] += light(x, y);
  std::mt19937_64 random(11);
  const auto image =
      test::expose(scene, kWidth, {.background = 10, .readNoise = 2, .shotGain = 0.1}, random);
  const auto frame = test::lease(eye_->pool, {image});
  const auto own = eye_->detector.measure(frame, {std::make_shared<const Settings>()}).front();
  const std::vector<gpu::LayerExpectation> expected{{own.values, own.pixels, {}, own.ground}};
  eye_->detector.submit(frame, {std::make_shared<const Settings>()},
                        gpu::makeFeedback(Settings(), eye_->format.image, expected));
  return eye_->detector.collect()->layers[0].markers;
}

/// Returns a bar through the image. It is `wide` px from one flank to the other, and its flanks are
/// blurred.
Light line(double degrees, double wide, double bright) {
  const double angle = degrees * std::numbers::pi / 180;
  return [=](double x, double y) {
    const double away = std::abs(-(x - 160) * std::sin(angle) + (y - 125) * std::cos(angle));
    return bright / (1 + std::exp((away - wide / 2) / 0.4));
  };
}

TEST_F(Prominence, LinesAreNoMarkers) {
  for (const double degrees : {0.0, 4.0, 11.25, 30.0, 45.0, 80.0})
    for (const double wide : {2.0, 4.0, 9.0})
      for (const double noise : {0.0, 1.5}) {
        SCOPED_TRACE(testing::Message()
                     << degrees << " degrees, " << wide << " px, noise " << noise);
        // At 30 and 45 degrees, the line does not touch the spots.
        EXPECT_EQ(markersIn(line(degrees, wide, 30), 0.1, noise).size(), 3U);
      }
}

TEST_F(Prominence, EdgesAndStepsOfOneCountAreNoMarkers) {
  const auto edge = [](double x, double y) {
    return y > 90 && y < 170 ? 60.0 + (static_cast<int>(x / 37) % 2) : 0.0;
  };
  EXPECT_EQ(markersIn(edge, 0.2, 0).size(), 3U);
  const auto slope = [](double x, double) { return 0.3 * x; };
  EXPECT_EQ(markersIn(slope, 0.05, 0).size(), 3U);
}

/// Returns a light with a bright rim, spokes, a core, and a texture that is the same in every run.
Light led(double radius) {
  return [radius](double x, double y) {
    const double dx = x - 160, dy = y - 120, away = std::hypot(dx, dy) / radius;
    const double angle = std::atan2(dy, dx);
    const double rim = std::exp(-std::pow((away - 0.75) / 0.2, 2));
    const double core = std::exp(-std::pow(away / 0.25, 2));
    const double spokes = 0.5 + 0.5 * std::cos(5 * angle);
    const double grain = std::sin(1.3 * x) * std::sin(1.1 * y);
    const double body = 105 + 60 * rim * spokes + 70 * core + 12 * grain;
    return body / (1 + std::exp((away - 1) * 12));
  };
}

TEST_F(Prominence, ALargeStructuredLightIsOneMarker) {
  for (const double radius : {9.0, 14.0, 22.0, 40.0, 70.0}) {
    SCOPED_TRACE(radius);
    const auto markers = markersIn(led(radius), 0.3, 1.5, false);
    ASSERT_EQ(markers.size(), 1U);
    EXPECT_NEAR(markers[0].x, 160, 0.3 * radius);
    EXPECT_NEAR(markers[0].y, 120, 0.3 * radius);
  }
}

TEST_F(Prominence, ALampHidesNoFaintMarkers) {
  const auto soft = [](double away) { return 300 / (1 + std::exp(away)); };
  const std::vector<std::pair<const char*, Light>> lights{
      {"a strip on the left", [&](double x, double) { return soft(x - 20); }},
      {"a wide one", [&](double x, double) { return soft(x - 90); }},
      {"one at the top", [&](double, double y) { return soft(y - 40); }},
      {"one across", [&](double x, double y) { return soft(std::abs(x - 0.7 * y) - 12); }},
      {"a window",
       [&](double x, double y) {
         return soft(std::max(std::abs(x - 40) - 35, std::abs(y - 40) - 30));
       }},
      {"a lamp with a halo", [&](double x, double y) {
         const double away = std::hypot(x - 40, y - 40);
         return soft(away - 25) + 60 * std::exp(-away / 18);
       }}};
  std::vector<test::Marker> markers;
  for (const double amplitude : {18.0, 20.0, 30.0, 40.0, 200.0})
    for (const double y : {100.3, 150.8, 200.6})
      markers.push_back({.x = 150.4 + 32 * static_cast<double>(markers.size() / 3),
                         .y = y,
                         .amplitude = amplitude,
                         .sigma = 2});
  for (const auto& [name, light] : lights) {
    SCOPED_TRACE(name);
    size_t clutter = 0;
    std::vector<bool> found(markers.size());
    for (const shared::Detection& d : markersByItself(markers, light)) {
      size_t own = markers.size();
      for (size_t i = 0; i < markers.size(); ++i)
        if (std::hypot(d.x - markers[i].x, d.y - markers[i].y) < 1) own = i;
      if (own < markers.size()) found[own] = true;
      clutter += own == markers.size() ? 1 : 0;
    }
    for (size_t i = 0; i < markers.size(); ++i) {
      const bool lit = light(markers[i].x, markers[i].y) > 5;
      EXPECT_TRUE(found[i] || lit) << markers[i].amplitude << " counts, " << i;
    }
    EXPECT_LE(clutter, 1U);
  }
}

/// Discs side by side remain separate markers.
TEST_F(Prominence, NeighboursAreNotOneObject) {
  for (const double gap : {2.0, 3.0, 6.0}) {
    SCOPED_TRACE(gap);
    const auto row = [gap](double x, double y) {
      double sum = 0;
      for (int i = -2; i <= 2; ++i) {
        const double away = std::hypot(x - 160 - i * (12 + gap), y - 120) - 6;
        sum += 150 / (1 + std::exp(away / 0.4));
      }
      return sum;
    };
    EXPECT_EQ(markersIn(row, 0.3, 1.5, false).size(), 5U);
  }
}

}  // namespace
}  // namespace glint
