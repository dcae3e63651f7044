// Kernels that add and compare four bytes at once, as on GPUs, must give the same results.
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

/// Returns the statistics and markers of all patterns, in order.
std::vector<std::vector<gpu::LayerMeasurement>> detectPatterns(const gpu::Device& device,
                                                               const gpu::FrameFormat& format) {
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = 0.4;
  test::edit(config).detect.separation = 4.5;
  test::edit(config).refine.method = RefineMethod::none;
  gpu::FramePool pool(device, format, 2);
  gpu::Detector detector(device, format, {});
  const auto feedback = gpu::makeFeedback(*config.settings, format.image,
                                          std::vector<gpu::LayerExpectation>(format.layers));
  std::vector<std::vector<gpu::LayerMeasurement>> results;
  for (const auto& pattern : test::patterns()) {
    detector.submit(test::lease(pool, test::makeImages(pattern, format.image, format.layers)),
                    config, feedback);
    results.push_back(detector.collect().value().layers);
  }
  return results;
}

bool equalStatistics(const shared::PlaneStatistics& a, const shared::PlaneStatistics& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(BytesAtOnce, GiveTheSame) {
  const auto made = [](bool bytesAtOnce) {
    return std::make_unique<gpu::Device>(
        gpu::Device::Options{.name = std::to_string(test::device().info().index),
                             .cacheFolder = "",
                             .bytesAtOnce = bytesAtOnce,
                             .wroteBeside = test::failOfGuards});
  };
  const auto device = made(true);
  if (!device->bytesAtOnce()) GTEST_SKIP() << "the device has no such products";
  // A GPU works in this way only in large frames.
  const bool cpu = device->info().type == "cpu";
  const gpu::FrameFormat format =
      cpu ? gpu::FrameFormat{{123, 77, 1, 8}, 2} : gpu::FrameFormat{{1021, 771, 1, 8}, 8};
  const auto got = detectPatterns(*device, format), want = detectPatterns(*made(false), format);
  size_t found = 0;
  for (size_t k = 0; k < want.size(); ++k) {
    SCOPED_TRACE(test::patterns()[k].name);
    for (uint32_t i = 0; i < format.layers; ++i) {
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
