// Subgroups of another size than the device prefers must give the same results.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

using reference::Image;

const gpu::FrameFormat kFormat{{240, 180, 1, 8}, 2};

/// Makes markers of many sizes, some of which touch, so that blobs are cut.
std::vector<Image> makeFrame() {
  std::mt19937_64 random(3);
  std::vector<Image> images;
  for (uint32_t layer = 0; layer < kFormat.layers; ++layer) {
    std::vector<test::Marker> markers;
    for (uint32_t i = 0; i < 20; ++i) {
      const double radius = 2 + i % 5 * 2.5;
      markers.push_back({.x = 24.0 + i % 5 * 45 + layer,
                         .y = 24.0 + i / 5 * 42,
                         .amplitude = 60.0 + 20 * (i % 7),
                         .sigma = 0.8,
                         .radius = radius});
      if (i % 2 == 1) continue;
      markers.push_back(markers.back());
      markers.back().x += 2 * radius;
    }
    images.push_back(test::expose(test::render(240, 180, markers, 10), 240, {}, random));
  }
  return images;
}

gpu::FrameResult detect(const gpu::Device& device, DetectMethod method) {
  gpu::DetectionConfig config;
  test::edit(config).detect.method = method;
  test::edit(config).detect.threshold = 0.2;
  gpu::FramePool pool(device, kFormat, 2);
  gpu::Detector detector(device, kFormat, {});
  detector.submit(test::lease(pool, makeFrame()), config,
                  gpu::makeFeedback(*config.settings, kFormat.image,
                                    std::vector<gpu::LayerExpectation>(kFormat.layers)));
  return detector.collect().value();
}

void expectSame(const gpu::FrameResult& got, const gpu::FrameResult& want) {
  for (uint32_t l = 0; l < kFormat.layers; ++l) {
    const auto &a = got.layers[l], &b = want.layers[l];
    EXPECT_EQ(a.candidates, b.candidates);
    EXPECT_EQ(a.response.sumLow, b.response.sumLow);
    EXPECT_EQ(a.response.mostIndex, b.response.mostIndex);
    ASSERT_EQ(a.markers.size(), b.markers.size());
    ASSERT_GT(b.markers.size(), 10U);
    for (size_t i = 0; i < b.markers.size(); ++i) {
      SCOPED_TRACE("layer " + std::to_string(l) + ", rank " + std::to_string(i));
      EXPECT_EQ(a.markers[i].peakX, b.markers[i].peakX);
      EXPECT_EQ(a.markers[i].peakY, b.markers[i].peakY);
      EXPECT_EQ(a.markers[i].flags, b.markers[i].flags);
      EXPECT_NEAR(a.markers[i].x, b.markers[i].x, 1e-3);
      EXPECT_NEAR(a.markers[i].y, b.markers[i].y, 1e-3);
      EXPECT_NEAR(a.markers[i].radius, b.markers[i].radius, 1e-2);
    }
  }
}

TEST(Subgroups, EverySizeThatTheDeviceOffersFindsTheSame) {
  const auto [least, most] = test::device().subgroupSizes();
  const uint32_t usual = test::device().subgroupSize();
  if (least == most) GTEST_SKIP() << "the device has subgroups of " << usual << " only";
  for (const auto method : {DetectMethod::peaks, DetectMethod::blobs}) {
    const auto want = detect(test::device(), method);
    for (uint32_t size = least; size <= most; size *= 2) {
      if (size == usual) continue;
      SCOPED_TRACE("subgroups of " + std::to_string(size));
      const gpu::Device device({.name = std::to_string(test::device().info().index),
                                .validation = false,
                                .cacheFolder = "",
                                .subgroupSize = size,
                                .wroteBeside = test::failOfGuards});
      expectSame(detect(device, method), want);
    }
  }
}

TEST(Subgroups, ASizeThatTheDeviceDoesNotOfferIsRefused) {
  const auto name = std::to_string(test::device().info().index);
  for (const uint32_t size : {3U, 2 * test::device().subgroupSizes().second})
    EXPECT_THROW(gpu::Device({.name = name, .cacheFolder = "", .subgroupSize = size}), Error);
}

}  // namespace
}  // namespace glint
