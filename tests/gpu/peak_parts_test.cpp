// Only those peaks of a frame are measured that may become markers. This changes none of the
// markers.
#include "gpu/detect/peak_parts.h"

#include <algorithm>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

using reference::Image;

/// Returns peaks far from one another. The first `small` are too small for markers.
std::vector<shared::Detection> peaksOf(uint32_t count, uint32_t small) {
  std::vector<shared::Detection> found(count);
  for (uint32_t i = 0; i < count; ++i) {
    found[i].x = 50 * static_cast<float>(i);
    found[i].peakX = 50 * i;
    found[i].radius = i < small ? 1.0F : 4.0F;
    found[i].mass = 1000;
  }
  return found;
}

/// Returns the ends of the parts that are measured of such peaks.
std::vector<uint32_t> endsOf(const Settings& settings, uint32_t count, uint32_t small) {
  const auto found = peaksOf(count, small);
  gpu::PeakParts parts(settings, {count});
  std::vector<uint32_t> ends{parts.end(0)};
  while (parts.goOn(0, std::span(found).first(parts.end(0)))) ends.push_back(parts.end(0));
  return ends;
}

TEST(PeakParts, GrowUntilThereAreEnoughMarkers) {
  Settings settings;
  settings.detect.minRadius = 2;
  settings.detect.maxMarkers = 128;
  using Ends = std::vector<uint32_t>;
  EXPECT_EQ(endsOf(settings, 20, 20), (Ends{20}));
  EXPECT_EQ(endsOf(settings, 512, 0), (Ends{128}));
  EXPECT_EQ(endsOf(settings, 512, 1), (Ends{128, 160})) << "a quarter more at least";
  EXPECT_EQ(endsOf(settings, 512, 32), (Ends{128, 192})) << "three of four are markers";
  EXPECT_EQ(endsOf(settings, 512, 64), (Ends{128, 288}));
  EXPECT_EQ(endsOf(settings, 512, 512), (Ends{128, 512}));
  settings.detect.minRadius = 0;
  EXPECT_EQ(endsOf(settings, 192, 192), (Ends{192})) << "half as many again are no parts";
  settings.detect.minRadius = 2;
  settings.detect.maxMarkers = 3;
  EXPECT_EQ(endsOf(settings, 12, 12), (Ends{3, 12})) << "32 more at least";
}

/// Returns an image of 192 spots. The 20 brightest are too small for markers, and the dimmest are
/// markers beyond the limit of 40.
Image smallAndLarge(uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<test::Marker> markers;
  for (uint32_t i = 0; i < 192; ++i)
    markers.push_back({.x = 12.3 + 24 * (i % 16),
                       .y = 12.6 + 24 * double(i / 16),
                       .amplitude = i < 20 ? 200 : 180 - 0.5 * i,
                       .sigma = i < 20 ? 0.9 : 2});
  return test::expose(test::render(388, 292, markers, 10), 388, {.readNoise = 2}, random);
}

gpu::LayerMeasurement measured(const Image& image, const Settings& settings, bool inParts) {
  const gpu::FrameFormat format{image.format, 1};
  gpu::FramePool pool(test::device(), format, 2);
  gpu::SearchOptions search = test::usualSearch();
  search.measureInParts = inParts;
  gpu::Detector detector(test::device(), format, {.search = search});
  detector.submit(test::lease(pool, {image}),
                  {.settings = std::make_shared<const Settings>(settings), .rejected = true},
                  gpu::makeFeedback(settings, format.image, std::vector<gpu::LayerExpectation>(1)));
  return detector.collect()->layers.front();
}

TEST(PeakParts, ChangeNoMarkersAndNoRejections) {
  const Image image = smallAndLarge(3);
  // With the second threshold, there are more candidates than can be listed, because of noise.
  for (const double threshold : {0.2, 0.04}) {
    SCOPED_TRACE(threshold);
    Settings settings;
    settings.detect.threshold = threshold;
    settings.detect.minRadius = 3;
    settings.detect.maxMarkers = 40;
    const auto parts = measured(image, settings, true), whole = measured(image, settings, false);
    EXPECT_EQ(parts.candidates > shared::kMaxResolved, threshold < 0.1);
    ASSERT_EQ(parts.markers.size(), 40U);
    ASSERT_EQ(whole.markers.size(), 40U);
    for (size_t i = 0; i < 40; ++i)
      EXPECT_EQ(std::memcmp(&parts.markers[i], &whole.markers[i], sizeof whole.markers[i]), 0) << i;
    ASSERT_EQ(parts.rejected.size(), whole.rejected.size());
    size_t fitted = 0, beyond = 0;
    for (size_t i = 0; i < whole.rejected.size(); ++i) {
      const gpu::Rejected &a = parts.rejected[i], &b = whole.rejected[i];
      EXPECT_EQ(a.reason, b.reason);
      EXPECT_EQ(a.measured, b.measured);
      EXPECT_EQ(std::memcmp(&a.seen, &b.seen, sizeof b.seen), 0) << i;
      fitted += a.measured ? 1 : 0;
      beyond += a.reason == gpu::Rejection::beyondMost ? 1 : 0;
    }
    // The parts end at 40, of which 20 are markers, and at 90.
    EXPECT_EQ(fitted, 90U - 40);
    EXPECT_GE(beyond, 192U - 20 - 40);
  }
}

}  // namespace
}  // namespace glint
