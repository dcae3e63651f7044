// Blobs compared with a plain reference: components, sums, ranks.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "tests/gpu/blob_rig.h"

namespace glint {
namespace {

using reference::Image;
using test::Pattern;

/// Returns shapes that are hard for union-find: long paths, many joins, thin diagonals.
const std::vector<Pattern>& hardPatterns() {
  const auto ring = [](uint32_t x, uint32_t y, const gpu::ImageFormat& f) {
    return std::min(std::min(x, y), std::min(f.width - 1 - x, f.height - 1 - y));
  };
  static const std::vector<Pattern> all{
      {"checkerboard", [](auto x, auto y, auto l, auto&) { return (x + y + l) % 2 * 200; }},
      {"dots", [](auto x, auto y, auto l, auto&) { return (x + l) % 2 * (y % 2) * 200; }},
      {"comb",
       [](auto x, auto y, auto, auto& f) { return x % 2 == 0 || y + 1 == f.height ? 200U : 0U; }},
      {"comb_up", [](auto x, auto y, auto, auto&) { return x % 2 == 0 || y == 0 ? 200U : 0U; }},
      {"serpentine",
       [](auto x, auto y, auto, auto& f) {
         return y % 2 == 0 || x == (y % 4 == 1 ? f.width - 1 : 0) ? 200U : 0U;
       }},
      {"spiral",
       [=](auto x, auto y, auto, auto& f) {
         const uint32_t r = ring(x, y, f);
         return (r % 2 == 0) != (x == r / 2 * 2 && y == x + 1) ? 200U : 0U;
       }},
      {"diagonals", [](auto x, auto y, auto l,
                       auto&) { return (x + (l % 2 ? y : 4096 - y)) % 3 == 0 ? 200U : 0U; }},
      {"rings", [=](auto x, auto y, auto, auto& f) { return ring(x, y, f) % 2 * 200; }},
  };
  return all;
}

void expectMarkers(const std::vector<shared::Detection>& got,
                   const std::vector<reference::Blob>& want, const gpu::ImageFormat& format) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const auto& d = got[i];
    const auto& b = want[i];
    ASSERT_EQ((reference::Peak{d.peakX, d.peakY, d.peak}), b.peak) << "at rank " << i;
    EXPECT_EQ(d.mass, static_cast<float>(b.mass));
    const auto mass = static_cast<long double>(b.mass);
    EXPECT_NEAR(d.x, double(static_cast<long double>(b.massX) / mass), 1e-3);
    EXPECT_NEAR(d.y, double(static_cast<long double>(b.massY) / mass), 1e-3);
    EXPECT_NEAR(d.radius, std::sqrt(double(b.area) / 3.14159265358979), 1e-5 * d.radius);
    // For eccentricities near 0, only the square is exact.
    EXPECT_NEAR(d.eccentricity * d.eccentricity, b.eccentricity() * b.eccentricity(), 1e-4);
    const bool cut =
        b.left == 0 || b.top == 0 || b.right + 1 == format.width || b.bottom + 1 == format.height;
    EXPECT_EQ(d.flags & ~shared::kFlagMerged,
              (cut ? shared::kFlagBorder : 0) |
                  (b.peak.value == format.fullScale() ? shared::kFlagSaturated : 0));
  }
}

void expectBlobs(test::BlobRig& rig, const std::vector<Image>& images, uint32_t threshold,
                 gpu::BlobSelection selection) {
  selection.split = false;
  selection.fullScale = images[0].format.fullScale();
  const auto found = rig.find(images, threshold, selection);
  for (size_t l = 0; l < images.size(); ++l) {
    SCOPED_TRACE("threshold " + std::to_string(threshold) + ", N " +
                 std::to_string(selection.maxMarkers) + ", separation " +
                 std::to_string(selection.separation) + ", layer " + std::to_string(l));
    auto want = reference::blobs(images[l], threshold);
    const auto ranked = reference::rank(want.all, selection.separation, selection.maxMarkers);
    ASSERT_EQ(found[l].components, want.all.size());
    EXPECT_TRUE(found[l].labels == want.labels);
    for (auto& b : want.all) b.centreX = b.centreY = 0;
    EXPECT_TRUE(found[l].all == want.all);
    expectMarkers(found[l].markers, ranked, images[l].format);
  }
}

struct Shape {
  uint32_t width, height, layers;
};

class BlobKernels : public testing::TestWithParam<std::tuple<Shape, uint32_t>> {};

TEST_P(BlobKernels, EqualTheirReference) {
  const auto [shape, bits] = GetParam();
  const gpu::ImageFormat format{shape.width, shape.height, 1, bits};
  const uint32_t full = format.fullScale();
  test::BlobRig rig(format, shape.layers);
  auto patterns = test::patterns();
  patterns.insert(patterns.end(), hardPatterns().begin(), hardPatterns().end());
  for (const auto& pattern : patterns) {
    SCOPED_TRACE("pattern " + pattern.name);
    auto images = test::makeImages(pattern, format, shape.layers);
    expectBlobs(rig, images, full / 2, {.maxMarkers = 64, .separation = 5.5});
    expectBlobs(rig, images, 1, {.maxMarkers = 17, .separation = 1});
    expectBlobs(rig, images, 0, {.maxMarkers = 1, .separation = 9});
    expectBlobs(rig, images, 150, {.maxMarkers = 300, .separation = 2});
    for (uint32_t l = 0; l < shape.layers; ++l) {
      auto& mask = images[l].mask;
      for (size_t i = 0; i < format.pixels(); ++i)
        mask.push_back((i * 2654435761U >> 7 ^ l) % 5 != 0);
    }
    expectBlobs(rig, images, 150, {.maxMarkers = 64, .separation = 3});
  }
}

std::string nameOf(const testing::TestParamInfo<std::tuple<Shape, uint32_t>>& row) {
  const Shape& s = std::get<0>(row.param);
  return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.layers) +
         "_" + std::to_string(std::get<1>(row.param)) + "bit";
}

INSTANTIATE_TEST_SUITE_P(Shapes, BlobKernels,
                         testing::Combine(testing::Values(Shape{1, 1, 1}, Shape{1, 9, 2},
                                                          Shape{17, 1, 3}, Shape{31, 33, 16},
                                                          Shape{33, 65, 2}, Shape{65, 64, 1},
                                                          Shape{1025, 3, 1}, Shape{321, 203, 2}),
                                          testing::Values(8U, 16U)),
                         nameOf);

/// Long paths and many joins at full size must not stop half-way.
TEST(LargeBlobs, FullHdImagesThatAreHardToJoin) {
  const gpu::ImageFormat format{1920, 1080, 1, 8};
  test::BlobRig rig(format, 1);
  for (const auto& pattern : hardPatterns()) {
    SCOPED_TRACE("pattern " + pattern.name);
    expectBlobs(rig, test::makeImages(pattern, format, 1), 100,
                {.maxMarkers = 32, .separation = 8});
  }
  expectBlobs(rig, test::makeImages(test::patterns()[4], format, 1), 100, {.maxMarkers = 8});
}

/// The noise has many small components at first, more than there is room for, and finally one that
/// percolates.
TEST(LargeBlobs, FullHdNoiseAtEveryThreshold) {
  const gpu::ImageFormat format{1920, 1080, 1, 8};
  test::BlobRig rig(format, 1);
  const auto images = test::makeImages(test::patterns()[0], format, 1);
  for (const uint32_t threshold : {240U, 200U, 150U, 128U, 60U})
    expectBlobs(rig, images, threshold, {.maxMarkers = 200, .separation = 20});
  expectBlobs(rig, images, 250, {.maxMarkers = 4096, .separation = 3});
}

/// Thousands of ragged blobs may be several markers each. The result must not depend on the room,
/// which determines how the work is divided.
TEST(LargeBlobs, CutNoiseIsTheSameWithMoreRoom) {
  const gpu::ImageFormat format{1920, 1080, 1, 8};
  test::BlobRig rig(format, 1);
  const auto images = test::makeImages(test::patterns()[0], format, 1);
  const gpu::BlobSelection selection{.maxMarkers = 300, .separation = 1};
  const auto before = rig.find(images, 175, selection)[0].markers;
  rig.find(images, 200, selection);  // has more components
  const auto after = rig.find(images, 175, selection)[0].markers;
  ASSERT_EQ(before.size(), after.size());
  size_t cut = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(std::memcmp(&before[i], &after[i], sizeof before[i]), 0) << "at rank " << i;
    EXPECT_LT(before[i].peakX, format.width);
    cut += (before[i].flags & shared::kFlagMerged) != 0;
  }
  EXPECT_GT(cut, 0U);
}

/// The sums need 64 bits: weights of 16 bits over a large component.
TEST(LargeBlobs, LargestSumsDoNotOverflow) {
  const gpu::ImageFormat format{4096, 2048, 1, 16};
  test::BlobRig rig(format, 1);
  expectBlobs(rig, test::makeImages(test::patterns()[4], format, 1), 0, {.maxMarkers = 2});
}

}  // namespace
}  // namespace glint
