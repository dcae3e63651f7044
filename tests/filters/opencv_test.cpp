// Compares filters with what OpenCV makes of the same images.
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "tests/filters/filter_rig.h"

namespace glint {
namespace {

using reference::Image;
using test::ChainRig, test::chainOf, test::matOf;

/// Compares a filter with what OpenCV makes of the same image.
void expectOpenCv(const std::string& use,
                  const std::function<void(const cv::Mat&, cv::Mat&)>& opencv, uint32_t bits = 8,
                  uint32_t channels = 1, double allowed = 0) {
  SCOPED_TRACE(use + " " + std::to_string(bits) + " bits, " + std::to_string(channels) +
               " channels");
  const gpu::FrameFormat format{{61, 40, channels, bits}, 1};
  for (const size_t pattern : {0U, 7U}) {
    const auto images = test::makeImages(test::patterns()[pattern], format.image, 1);
    const cv::Mat got = matOf(ChainRig(format, chainOf({use.c_str()})).run(images, 0)[0]);
    cv::Mat want;
    opencv(matOf(images[0]), want);
    EXPECT_LE(cv::norm(got, want, cv::NORM_INF), allowed);
  }
}

TEST(FiltersAndOpenCv, PointsAndWindows) {
  for (const uint32_t bits : {8U, 16U}) {
    const double full = bits == 8 ? 255 : 65535;
    expectOpenCv(
        "brightness:amount=0.2",
        [&](auto& in, auto& out) { cv::add(in, cv::Scalar(full / 5), out); }, bits);
    expectOpenCv(
        "contrast:factor=1.7",
        [&](auto& in, auto& out) { in.convertTo(out, in.type(), 1.7, full / 2 * (1 - 1.7)); }, bits,
        1, 1);
    expectOpenCv(
        "invert", [](auto& in, auto& out) { cv::bitwise_not(in, out); }, bits, 3);
    expectOpenCv(
        "threshold:level=0.4",
        [&](auto& in, auto& out) {
          cv::threshold(in, out, full * 0.4 - 1, full, cv::THRESH_BINARY);
        },
        bits);
    for (const int r : {1, 3, 7})
      expectOpenCv(
          "box:radius=" + std::to_string(r),
          [&](auto& in, auto& out) {
            cv::blur(in, out, {2 * r + 1, 2 * r + 1});
          },
          bits, 3, bits == 8 ? 0 : 1);
    for (const int r : {1, 2})
      expectOpenCv(
          "median:radius=" + std::to_string(r),
          [&](auto& in, auto& out) { cv::medianBlur(in, out, 2 * r + 1); }, bits, 3);
  }
  for (const int r : {3, 7})
    expectOpenCv("median:radius=" + std::to_string(r),
                 [&](auto& in, auto& out) { cv::medianBlur(in, out, 2 * r + 1); });
  expectOpenCv("adaptive_threshold", [](auto& in, auto& out) {
    cv::adaptiveThreshold(in, out, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, 9,
                          13);  // The offset of 0.05 is 13 of 255, rounded.
  });
  expectOpenCv(
      "bilateral:sigma_space=2:sigma_range=0.2:radius=4",
      [](auto& in, auto& out) { cv::bilateralFilter(in, out, 9, 51, 2); }, 8, 3, 1);
  const cv::Matx33f kernel{0.1F, -0.2F, 0.3F, 0.4F, 1.5F, -0.6F, 0.1F, 0.2F, -0.3F};
  expectOpenCv(
      "convolution3:kernel=0.1,-0.2,0.3,0.4,1.5,-0.6,0.1,0.2,-0.3",
      [&](auto& in, auto& out) {
        cv::filter2D(in, out, -1, kernel, {-1, -1}, 0, cv::BORDER_REPLICATE);
      },
      8, 3, 1);
}

TEST(FiltersAndOpenCv, RawPicturesAndLenses) {
  for (const uint32_t bits : {8U, 16U}) {
    for (const auto& [name, code] : {std::pair("rggb", cv::COLOR_BayerBG2BGR),
                                     {"grbg", cv::COLOR_BayerGB2BGR},
                                     {"gbrg", cv::COLOR_BayerGR2BGR},
                                     {"bggr", cv::COLOR_BayerRG2BGR}})
      expectOpenCv(
          std::string("demosaic:pattern=") + name,
          [code = code](auto& in, auto& out) { cv::cvtColor(in, out, code); }, bits);
    expectOpenCv(
        "undistort:fx=50:fy=55:cx=29:cy=21:k1=-0.2:k2=0.05:p1=0.01:p2=-0.02",
        [](auto& in, auto& out) {
          cv::Mat map(in.size(), CV_32FC2);
          for (int v = 0; v < in.rows; ++v) {
            for (int u = 0; u < in.cols; ++u) {
              const double x = (u - 29) / 50.0, y = (v - 21) / 55.0, r2 = x * x + y * y;
              const double g = 1 - 0.2 * r2 + 0.05 * r2 * r2;
              const double X = x * g + 0.02 * x * y - 0.02 * (r2 + 2 * x * x);
              const double Y = y * g + 0.01 * (r2 + 2 * y * y) - 0.04 * x * y;
              map.at<cv::Vec2f>(v, u) = {float(50 * X + 29), float(55 * Y + 21)};
            }
          }
          cv::remap(in, out, map, {}, cv::INTER_LINEAR);
        },
        bits, 3, bits == 8 ? 0 : 1);
  }
}

TEST(FiltersAndOpenCv, Canny) {
  for (const uint32_t channels : {1U, 3U}) {
    for (const int aperture : {3, 5, 7}) {
      for (const bool length : {false, true}) {
        for (const auto& [low, high] : {std::pair(50, 150), {400, 90}, {-5, 700}, {900, 2500}}) {
          expectOpenCv(
              "canny:low=" + std::to_string(low) + ":high=" + std::to_string(high) +
                  ":aperture=" + std::to_string(aperture) + ":norm=" + (length ? "L2" : "L1"),
              [&, low = low, high = high](auto& in, auto& out) {
                cv::Canny(in, out, low, high, aperture, length);
              },
              8, channels);
        }
      }
    }
  }
}

/// The image holds one long snake. Only its head has strong pixels, and these must keep edges that
/// are far from them.
TEST(FiltersAndOpenCv, CannysLongEdges) {
  cv::Mat image(240, 320, CV_8U, cv::Scalar(20));
  for (int y = 10; y < 230; y += 20) {
    cv::line(image, {10, y}, {309, y}, 40, 5);
    const int x = y / 20 % 2 == 0 ? 309 : 10;
    if (y + 20 < 230) cv::line(image, {x, y}, {x, y + 20}, 40, 5);
  }
  for (int x = 10; x < 50; ++x) cv::line(image, {x, 8}, {x, 12}, 40 + (50 - x) * 2);
  cv::line(image, {100, 235}, {200, 235}, 40);  // This edge does not touch the snake.
  cv::Mat want;
  cv::Canny(image, want, 30, 300);
  ASSERT_GT(cv::countNonZero(want), 5000);
  const gpu::FrameFormat format{{320, 240, 1, 8}, 1};
  Image frame{format.image, {}};
  frame.values.assign(image.begin<uint8_t>(), image.end<uint8_t>());
  const auto got = ChainRig(format, chainOf({"canny:low=30:high=300"})).run({frame}, 0)[0];
  EXPECT_EQ(cv::norm(matOf(got), want, cv::NORM_INF), 0);
}

TEST(FiltersAndOpenCv, Morphology) {
  const std::pair<const char*, int> kOps[] = {
      {"dilate", cv::MORPH_DILATE},     {"erode", cv::MORPH_ERODE},
      {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
      {"gradient", cv::MORPH_GRADIENT}, {"tophat", cv::MORPH_TOPHAT},
      {"blackhat", cv::MORPH_BLACKHAT}};
  const std::pair<const char*, int> kElements[] = {
      {"rect", cv::MORPH_RECT}, {"ellipse", cv::MORPH_ELLIPSE}, {"cross", cv::MORPH_CROSS}};
  for (const auto& [op, operation] : kOps) {
    for (const auto& [shape, element] : kElements) {
      for (const int size : {1, 4, 9, 32}) {
        expectOpenCv(
            "morphology:op=" + std::string(op) + ":shape=" + shape +
                ":size=" + std::to_string(size),
            [&](auto& in, auto& out) {
              cv::morphologyEx(in, out, operation,
                               cv::getStructuringElement(element, {size, size}));
            },
            size == 4 ? 16 : 8, size == 9 ? 3 : 1);
      }
    }
  }
}

}  // namespace
}  // namespace glint
