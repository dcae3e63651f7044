// Masks made of rectangles equal their definition, bit for bit.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/detect/feedback.h"
#include "gpu/mask.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

bool holdsPixel(const std::vector<gpu::PixelRect>& rects, uint32_t x, uint32_t y) {
  return std::any_of(rects.begin(), rects.end(), [&](const gpu::PixelRect& r) {
    return x >= r.x && x - r.x < r.width && y >= r.y && y - r.y < r.height;
  });
}

/// Returns rectangles, some of 1 px, and some with the width or height of the whole picture.
std::vector<gpu::PixelRect> someRects(std::mt19937& random, uint32_t count, uint32_t width,
                                      uint32_t height) {
  const auto from = [&](uint32_t least, uint32_t most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  std::vector<gpu::PixelRect> rects;
  for (uint32_t i = 0; i < count; ++i) {
    gpu::PixelRect r{from(0, width - 1), from(0, height - 1), 1, 1};
    if (from(0, 4) == 0) r.x = 0;
    r.width = from(0, 4) == 0 ? width - r.x : from(1, width - r.x);
    r.height = from(0, 4) == 0 ? height - r.y : from(1, height - r.y);
    rects.push_back(r);
  }
  return rects;
}

TEST(Regions, AreAMaskBitForBit) {
  std::mt19937 random(5);
  for (const auto& [width, height] : {std::pair{1U, 1U}, {31U, 7U}, {32U, 5U}, {97U, 40U}}) {
    for (uint32_t trial = 0; trial < 40; ++trial) {
      const auto regions = someRects(random, trial % 4, width, height);
      const auto ignored = someRects(random, trial / 4 % 3, width, height);
      gpu::LayerMask before;
      if (trial % 2 == 0) before = {width, height, {}};
      for (uint32_t i = 0; trial % 2 == 0 && i < width * height; ++i)
        before.pixels.push_back(random() % 5 == 0 ? 0 : 255);
      const gpu::LayerMask mask = gpu::limitTo(before, width, height, regions, ignored);
      ASSERT_EQ(mask.pixels.size(), size_t{width} * height);
      const auto words = gpu::packMasks({mask}, width, height);
      for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          const bool want = (regions.empty() || holdsPixel(regions, x, y)) &&
                            !holdsPixel(ignored, x, y) &&
                            (before.empty() || before.pixels[size_t{y} * width + x] != 0);
          ASSERT_EQ(mask.pixels[size_t{y} * width + x] != 0, want);
          ASSERT_EQ((words[size_t{y} * gpu::maskPitch(width) + x / 32] >> x % 32 & 1) != 0, want);
        }
      }
    }
  }
}

TEST(Regions, AloneAreMeasured) {
  const gpu::FrameFormat format{{321, 190, 1, 8}, 2};
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = 0.6;
  test::edit(config).detect.maxMarkers = 300;
  test::edit(config).refine.method = RefineMethod::none;
  std::mt19937 random(6);
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, {});
  for (const test::Pattern& pattern : test::patterns()) {
    SCOPED_TRACE(pattern.name);
    auto images = test::makeImages(pattern, format.image, format.layers);
    std::vector<gpu::LayerMask> masks;
    for (auto& image : images) {
      const auto regions = someRects(random, 2, 321, 190), ignored = someRects(random, 1, 40, 40);
      masks.push_back(gpu::limitTo({}, 321, 190, regions, ignored));
      if (masks.back().measured() == 0) masks.back().pixels[5] = 1;
      image.mask = masks.back().pixels;
    }
    config.masks = std::make_shared<const std::vector<gpu::LayerMask>>(masks);
    detector.submit(
        test::lease(pool, images), config,
        gpu::makeFeedback(*config.settings, format.image, std::vector<gpu::LayerExpectation>(2)));
    const auto result = detector.collect();
    for (size_t l = 0; l < images.size(); ++l) {
      const auto& layer = result->layers[l];
      const auto want = reference::peaks(images[l], layer.threshold,
                                         config.settings->detect.separation, 300, layer.prominence);
      ASSERT_EQ(layer.markers.size(), want.size());
      for (size_t i = 0; i < want.size(); ++i) {
        EXPECT_EQ(layer.markers[i].peakX, want[i].x);
        EXPECT_EQ(layer.markers[i].peakY, want[i].y);
        EXPECT_EQ(layer.markers[i].peak, want[i].value);
      }
      EXPECT_EQ(layer.pixels, masks[l].measured());
      EXPECT_EQ(layer.response.mostIndex, reference::statistics(images[l]).mostIndex);
      EXPECT_EQ(layer.response.sumLow, static_cast<uint32_t>(reference::statistics(images[l]).sum));
    }
  }
}

}  // namespace
}  // namespace glint
