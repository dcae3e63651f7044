// Tests templates: scores are compared with those of cv::matchTemplate, templates are turned, and
// templates follow what they have found.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "tests/filters/filter_rig.h"

namespace glint {
namespace {

using reference::Image;
using test::ChainRig, test::chainOf, test::lookFor, test::matOf;

TEST(FiltersAndOpenCv, TemplateMatching) {
  for (const uint32_t bits : {8U, 16U}) {
    const gpu::FrameFormat format{{61, 40, 1, bits}, 1};
    const auto images = test::makeImages(test::patterns()[0], format.image, 1);
    cv::Mat image, part;
    matOf(images[0]).convertTo(image, CV_32F);
    part = image(cv::Rect(20, 9, 9, 8));
    std::map<std::string, std::vector<gpu::FilterImage>> files;
    files["pattern:frame"].push_back({format.image, images[0].values});
    for (const auto& [name, method] :
         {std::pair("ccoeff", cv::TM_CCOEFF_NORMED), {"sqdiff", cv::TM_SQDIFF_NORMED}}) {
      const auto uses =
          chainOf({(std::string("template:look=file:frame:part=20,9,9,8:method=") + name).c_str()});
      const auto got =
          ChainRig(format, uses, std::make_shared<const decltype(files)>(files)).run(images, 0)[0];
      cv::Mat want;
      cv::matchTemplate(image, part, want, method);
      // OpenCV computes its sums with a Fourier transform in floats.
      const double full = format.image.fullScale(), allowed = 1 + full * 2e-5;
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 61; ++x) {
          const bool inside = x >= 4 && y >= 4 && x - 4 < want.cols && y - 4 < want.rows;
          double score = inside ? want.at<float>(y - 4, x - 4) : 0;
          if (inside && method == cv::TM_SQDIFF_NORMED) score = 1 - score;
          ASSERT_NEAR(got.values[size_t(y * 61 + x)], full * std::clamp(score, 0.0, 1.0), allowed);
        }
      }
      EXPECT_EQ(got.values[(9 + 4) * 61 + 20 + 4], format.image.fullScale());
    }
  }
}

/// OpenCV is given the template that was turned before.
TEST(FiltersAndOpenCv, TurnedTemplates) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const auto images = test::makeImages(test::patterns()[0], format.image, 1);
  std::map<std::string, std::vector<gpu::FilterImage>> files;
  files["pattern:look"].push_back(lookFor(8));
  const auto got = ChainRig(format, chainOf({"template:look=file:look:angle_from=90:angle_to=90"}),
                            std::make_shared<const decltype(files)>(files))
                       .run(images, 0)[0];
  cv::Mat image, look(5, 7, CV_32F), turned, want;
  matOf(images[0]).convertTo(image, CV_32F);
  for (int i = 0; i < 35; ++i)
    look.at<float>(i / 7, i % 7) = files["pattern:look"][0].values[size_t(i)];
  cv::rotate(look, turned, cv::ROTATE_90_CLOCKWISE);
  cv::matchTemplate(image, turned, want, cv::TM_CCOEFF_NORMED);
  for (int y = 0; y < want.rows; ++y)
    for (int x = 0; x < want.cols; ++x)
      ASSERT_NEAR(got.values[size_t((y + 3) * 61 + x + 2)],
                  255 * std::max(want.at<float>(y, x), 0.0F), 1);
}

/// Returns frame n of a textured marker of 9x8 px that changes little by little (`changed`, 0 to 1)
/// while it moves over noise.
Image changingMarker(const gpu::ImageFormat& format, int left, int top, double changed,
                     uint32_t n) {
  const uint32_t full = format.fullScale();
  const auto mix = [](uint32_t i) { return double(i * 2654435761U >> 8) / (1 << 24); };
  Image image{format, {}};
  for (uint32_t i = 0; i < format.width * format.height; ++i) {
    const int x = int(i % format.width) - left, y = int(i / format.width) - top;
    const bool inside = x >= 0 && y >= 0 && x < 9 && y < 8;
    const auto k = static_cast<uint32_t>(y * 9 + x);
    const double own = inside ? (1 - changed) * mix(k + 5) + changed * mix(k + 977) : 0.4;
    const double noise = 0.1 * (mix(i * 131 + n * 7919 + 3) - 0.5);
    image.values.push_back(
        static_cast<uint16_t>(std::clamp(own * 0.8 + 0.1 + noise, 0.0, 1.0) * full));
  }
  return image;
}

gpu::FilterImages looksFor(const Image& image) {
  std::map<std::string, std::vector<gpu::FilterImage>> files;
  files["pattern:frame"].push_back({image.format, image.values});
  return std::make_shared<const decltype(files)>(std::move(files));
}

/// The template of each frame follows from that of the frame before by its definition.
TEST(FiltersAndOpenCv, TemplatesThatFollow) {
  for (const uint32_t bits : {8U, 16U}) {
    const gpu::FrameFormat format{{61, 40, 1, bits}, 1};
    const double full = format.image.fullScale(), allowed = 1 + full * 2e-5;
    const auto frame = [&](int n) {
      return changingMarker(format.image, 20 + n, 9 + n / 2, n * 0.08, uint32_t(n));
    };
    const std::string part = "template:look=file:frame:part=20,9,9,8";
    ChainRig rig(format, chainOf({(part + ":update=0.4").c_str()}), looksFor(frame(0)));
    cv::Mat look, image, want;
    matOf(frame(0))(cv::Rect(20, 9, 9, 8)).convertTo(look, CV_64F);
    const cv::Mat first = look.clone();
    for (int n = 0; n < 12; ++n) {
      const Image now = frame(n), got = rig.run({now}, uint64_t(n))[0];
      if (n % 5 == 2) {  // A frame that is measured again changes nothing.
        EXPECT_EQ(rig.run({now}, uint64_t(n))[0].values, got.values);
      }
      cv::Mat rounded;
      look.convertTo(rounded, CV_32F);
      for (auto& value : cv::Mat_<float>(rounded)) value = std::floor(value + 0.5F);
      matOf(now).convertTo(image, CV_32F);
      cv::matchTemplate(image, rounded, want, cv::TM_CCOEFF_NORMED);
      for (int y = 0; y < want.rows; ++y)
        for (int x = 0; x < want.cols; ++x)
          ASSERT_NEAR(got.values[size_t((y + 4) * 61 + x + 4)],
                      full * std::clamp(want.at<float>(y, x), 0.0F, 1.0F), allowed);
      const auto best =
          size_t(std::max_element(got.values.begin(), got.values.end()) - got.values.begin());
      EXPECT_EQ(best, size_t((9 + n / 2 + 4) * 61 + 20 + n + 4));
      EXPECT_GT(got.values[best], 0.8 * full);
      cv::Mat seen;
      matOf(now)(cv::Rect(int(best % 61) - 4, int(best / 61) - 4, 9, 8)).convertTo(seen, CV_64F);
      look += 0.4 * (seen - look);
    }
    // A template that does not follow would have nearly lost the marker by then.
    cv::Mat still;
    first.convertTo(still, CV_32F);
    cv::matchTemplate(image, still, want, cv::TM_CCOEFF_NORMED);
    EXPECT_LT(want.at<float>(9 + 11 / 2, 20 + 11), 0.6);
  }
}

/// Noise must not move the template: a marker at rest is found at the same pixel in all frames.
TEST(FilterChains, TemplatesDoNotDriftFromWhatStands) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const auto frame = [&](uint32_t n) { return changingMarker(format.image, 30, 15, 0, n); };
  ChainRig rig(format, chainOf({"template:look=file:frame:part=30,15,9,8:update=0.5"}),
               looksFor(frame(0)));
  for (uint32_t n = 0; n < 100; ++n) {
    const auto got = rig.run({frame(n)}, n)[0].values;
    const auto best = std::max_element(got.begin(), got.end());
    ASSERT_EQ(best - got.begin(), (15 + 4) * 61 + 30 + 4) << n;
    ASSERT_GT(*best, 230) << n;
  }
}

/// Quarter turns are exact, so nothing is lost when the template has turned all the way round.
TEST(FilterChains, TellHowATemplateFits) {
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const Image first = changingMarker(format.image, 20, 9, 0, 0);
  cv::Mat look = matOf(first)(cv::Rect(20, 9, 9, 8)).clone();
  ChainRig rig(
      format,
      chainOf({"template:look=file:frame:part=20,9,9,8:angle_to=270:angle_step=90:update=1"}),
      looksFor(first));
  for (int quarter = 0; quarter < 8; ++quarter) {
    Image now =
        // The marker lies outside the image, so this is noise alone.
        changingMarker(format.image, 100, 100, 0, uint32_t(quarter));
    for (int y = 0; y < look.rows; ++y)
      for (int x = 0; x < look.cols; ++x)
        now.values[size_t((y + 20) * 61 + x + 40)] = look.at<uint8_t>(y, x);
    const auto got = rig.run({now}, uint64_t(quarter))[0].values;
    const auto x = uint32_t(40 + look.cols / 2), y = uint32_t(20 + look.rows / 2);
    // This also holds after the template has taken over all of the difference.
    EXPECT_EQ(got[y * 61 + x], 255);
    const auto fit = rig.fitAt(x, y);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->angle, quarter % 4 * 90);
    EXPECT_EQ(fit->scale, 1);
    EXPECT_FALSE(rig.fitAt(0, 0));
    cv::rotate(look, look, cv::ROTATE_90_CLOCKWISE);
  }
}

}  // namespace
}  // namespace glint
