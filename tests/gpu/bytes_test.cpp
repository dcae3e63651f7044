// Kernels that add and compare four bytes at once, as on GPUs: results must be the same.
#include <cstring>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

const FrameFormat kBytesFormat{{123, 77, 1, 8}, 2};

/// Statistics and markers of all patterns, in order.
std::vector<std::vector<LayerMeasurement>> detectPatterns(const Device& device) {
  DetectionConfig config;
  config.settings.detect.threshold = 0.4;
  config.settings.detect.separation = 4.5;
  config.settings.refine.method = RefineMethod::none;
  FramePool pool(device, kBytesFormat, 2);
  Detector detector(device, kBytesFormat, {});
  const auto feedback = makeFeedback(config.settings, kBytesFormat.image,
                                     std::vector<LayerExpectation>(kBytesFormat.layers));
  std::vector<std::vector<LayerMeasurement>> results;
  for (const auto& pattern : test::patterns()) {
    detector.submit(
        test::lease(pool, test::makeImages(pattern, kBytesFormat.image, kBytesFormat.layers)),
        config, feedback);
    results.push_back(detector.collect().value().layers);
  }
  return results;
}

bool equalStatistics(const shared::PlaneStatistics& a, const shared::PlaneStatistics& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(BytesAtOnce, GiveTheSame) {
  const Device device({.name = std::to_string(test::device().info().index),
                       .validation = false,
                       .cacheFolder = "",
                       .bytesAtOnce = true,
                       .wroteBeside = test::failOfGuards});
  if (!device.bytesAtOnce()) GTEST_SKIP() << "the device has no such products";
  const auto got = detectPatterns(device), want = detectPatterns(test::device());
  size_t found = 0;
  for (size_t k = 0; k < want.size(); ++k) {
    SCOPED_TRACE(test::patterns()[k].name);
    for (uint32_t i = 0; i < kBytesFormat.layers; ++i) {
      const auto &a = got[k][i], &b = want[k][i];
      EXPECT_TRUE(equalStatistics(a.response, b.response));
      EXPECT_EQ(a.candidates, b.candidates);
      ASSERT_EQ(a.markers.size(), b.markers.size());
      for (size_t m = 0; m < b.markers.size(); ++m) {
        EXPECT_EQ(a.markers[m].peakX, b.markers[m].peakX);
        EXPECT_EQ(a.markers[m].peakY, b.markers[m].peakY);
        EXPECT_EQ(a.markers[m].peak, b.markers[m].peak);
      }
      found += b.markers.size();
    }
  }
  EXPECT_GT(found, 100U);
}

}  // namespace
}  // namespace glint
