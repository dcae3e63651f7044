// Compares the components of blobs with those of cv::connectedComponentsWithStats.
#include <algorithm>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "tests/gpu/blob_rig.h"

namespace glint {
namespace {

/// Numbers labels in the order of their first pixel; 0 stays 0.
std::vector<uint32_t> inRasterOrder(const cv::Mat& labels, int count) {
  std::vector<uint32_t> renumbered(static_cast<size_t>(count), 0);
  std::vector<uint32_t> result;
  uint32_t next = 0;
  for (auto it = labels.begin<int>(); it != labels.end<int>(); ++it) {
    auto& label = renumbered[static_cast<size_t>(*it)];
    if (*it != 0 && label == 0) label = ++next;
    result.push_back(label);
  }
  return result;
}

TEST(BlobPartition, IsThatOfOpenCv) {
  for (const uint32_t bits : {8U, 16U}) {
    const gpu::ImageFormat format{641, 479, 1, bits};
    test::BlobRig rig(format, 2);
    for (const auto& pattern : test::patterns()) {
      const auto images = test::makeImages(pattern, format, 2);
      for (const uint32_t threshold :
           {1U, 2U, format.fullScale() / 2, format.fullScale() / 5 * 4}) {
        const auto found = rig.find(images, threshold, {.maxMarkers = 8, .split = false});
        for (size_t l = 0; l < 2; ++l) {
          SCOPED_TRACE(pattern.name + ", threshold " + std::to_string(threshold) + ", layer " +
                       std::to_string(l));
          cv::Mat foreground(static_cast<int>(format.height), static_cast<int>(format.width),
                             CV_8U);
          std::transform(images[l].values.begin(), images[l].values.end(),
                         foreground.begin<uint8_t>(),
                         [&](uint16_t v) { return static_cast<uint8_t>(v >= threshold); });
          cv::Mat labels, stats, centroids;
          const int count =
              cv::connectedComponentsWithStats(foreground, labels, stats, centroids, 8);
          ASSERT_EQ(found[l].all.size() + 1, static_cast<size_t>(count));
          EXPECT_TRUE(found[l].labels == inRasterOrder(labels, count));
          std::vector<int> areas, want;
          for (const auto& blob : found[l].all) areas.push_back(static_cast<int>(blob.area));
          for (int i = 1; i < count; ++i) want.push_back(stats.at<int>(i, cv::CC_STAT_AREA));
          std::sort(areas.begin(), areas.end());
          std::sort(want.begin(), want.end());
          EXPECT_EQ(areas, want);
        }
      }
    }
  }
}

}  // namespace
}  // namespace glint
