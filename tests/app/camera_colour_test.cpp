// Tests the colours that come from cameras.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <linux/videodev2.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "app/capture/cameras/camera_converter.h"

namespace glint {
namespace {

struct Yuv {
  int y, u, v;
};

/// Returns a picture of 8 x 6 pixels in one colour as cameras send it, without gaps between rows.
std::vector<std::byte> flatYuv(uint32_t fourcc, const Yuv& colour) {
  constexpr size_t kPixels = 48;
  std::vector<int> all;
  const auto repeat = [&](std::vector<int> values, size_t times) {
    for (size_t i = 0; i < times; ++i) all.insert(all.end(), values.begin(), values.end());
  };
  const auto [y, u, v] = colour;
  if (fourcc == V4L2_PIX_FMT_YUYV) repeat({y, u, y, v}, kPixels / 2);
  if (fourcc == V4L2_PIX_FMT_YVYU) repeat({y, v, y, u}, kPixels / 2);
  if (fourcc == V4L2_PIX_FMT_UYVY) repeat({u, y, v, y}, kPixels / 2);
  if (all.empty()) repeat({y}, kPixels);
  if (fourcc == V4L2_PIX_FMT_NV12) repeat({u, v}, kPixels / 4);
  if (fourcc == V4L2_PIX_FMT_NV21) repeat({v, u}, kPixels / 4);
  if (fourcc == V4L2_PIX_FMT_YUV420) repeat({u}, kPixels / 4), repeat({v}, kPixels / 4);
  if (fourcc == V4L2_PIX_FMT_YVU420) repeat({v}, kPixels / 4), repeat({u}, kPixels / 4);
  std::vector<std::byte> bytes;
  for (const int value : all) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// Returns the pixels of a converted picture of 8 x 6: blue, green and red of each.
template <class T>
std::vector<T> coloursOf(capture::CameraConverter& converter, const std::vector<std::byte>& frame) {
  std::vector<T> pixels(48 * 3);
  const gpu::ImageView image{converter.format(), reinterpret_cast<std::byte*>(pixels.data()),
                             8 * 3 * sizeof(T)};
  EXPECT_EQ(image.format.channels, 3U);
  EXPECT_EQ(image.format.bits, 8 * sizeof(T));
  EXPECT_TRUE(converter.convert(frame, image));
  EXPECT_FALSE(converter.convert(std::span(frame).first(frame.size() / 2), image));
  return pixels;
}

// Converts colours by ITU-R BT.601. Values have the range 0 to 255, or, if limited, 16 to 235
// (luma) and 16 to 240 (chroma).
TEST(CameraColour, OfYuvIsThatOfItsMatrix) {
  const Yuv colour{130, 100, 160};
  for (const bool limited : {false, true}) {
    const double y = limited ? (colour.y - 16) * 255.0 / 219 : colour.y;
    const double scale = limited ? 255.0 / 224 : 1;
    const double u = scale * (colour.u - 128), v = scale * (colour.v - 128);
    const std::array<double, 3> expected{y + 1.772 * u, y - 0.344136 * u - 0.714136 * v,
                                         y + 1.402 * v};
    for (const uint32_t fourcc :
         {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_YVYU, V4L2_PIX_FMT_UYVY, V4L2_PIX_FMT_NV12,
          V4L2_PIX_FMT_NV21, V4L2_PIX_FMT_YUV420, V4L2_PIX_FMT_YVU420}) {
      SCOPED_TRACE(capture::fourccName(fourcc));
      const capture::CameraPixels& pixels = *capture::findCameraPixels(fourcc);
      capture::CameraConverter converter(pixels, 8, 6, 8 * pixels.step, limited, true);
      const auto found = coloursOf<uint8_t>(converter, flatYuv(fourcc, colour));
      for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i % 3], 2) << i;
    }
  }
}

TEST(CameraColour, OfBayerPatternsIsThatOfEachFilter) {
  // Stored values of the blue, green and red filters; full scale is 1023.
  constexpr std::array<int, 3> kStored{900, 500, 100};
  const std::array patterns{
      std::pair{V4L2_PIX_FMT_SBGGR10, "BGGR"}, std::pair{V4L2_PIX_FMT_SGBRG10, "GBRG"},
      std::pair{V4L2_PIX_FMT_SGRBG10, "GRBG"}, std::pair{V4L2_PIX_FMT_SRGGB10, "RGGB"},
      std::pair{V4L2_PIX_FMT_SRGGB8, "RGGB"}};
  for (const auto& [fourcc, order] : patterns) {
    SCOPED_TRACE(capture::fourccName(fourcc));
    const bool wide = fourcc != V4L2_PIX_FMT_SRGGB8;
    std::vector<std::byte> frame;
    for (size_t i = 0; i < 48; ++i) {
      const char filter = order[i / 8 % 2 * 2 + i % 2];
      const int stored = kStored[filter == 'B' ? 0 : filter == 'G' ? 1 : 2];
      if (!wide) frame.push_back(static_cast<std::byte>(stored / 4));
      if (wide) frame.push_back(static_cast<std::byte>(stored & 0xFF));
      if (wide) frame.push_back(static_cast<std::byte>(stored >> 8));
    }
    capture::CameraConverter converter(*capture::findCameraPixels(fourcc), 8, 6, wide ? 16 : 8,
                                       false, true);
    if (wide) {
      const auto found = coloursOf<uint16_t>(converter, frame);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], kStored[i % 3] * 65535.0 / 1023, 1) << i;
    } else {
      const auto found = coloursOf<uint8_t>(converter, frame);
      for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], kStored[i % 3] / 4) << i;
    }
  }
}

TEST(CameraColour, OfJpegIsThatOfTheFileAndGreyStaysGrey) {
  cv::Mat picture(6, 8, CV_8UC3, cv::Scalar(200, 120, 40));
  std::vector<uint8_t> file;
  cv::imencode(".jpg", picture, file, {cv::IMWRITE_JPEG_QUALITY, 100});
  const auto bytes = std::as_bytes(std::span(file));
  capture::CameraConverter converter(*capture::findCameraPixels(V4L2_PIX_FMT_MJPEG), 8, 6, 0, false,
                                     true);
  const auto found = coloursOf<uint8_t>(converter, {bytes.begin(), bytes.end()});
  constexpr std::array kExpected{200, 120, 40};
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], kExpected[i % 3], 3);
  const capture::CameraConverter grey(*capture::findCameraPixels(V4L2_PIX_FMT_GREY), 8, 6, 8, false,
                                      true);
  EXPECT_EQ(grey.format().channels, 1U);
  const capture::CameraConverter unknown(*capture::findCameraPixels(V4L2_PIX_FMT_NV16), 8, 6, 8,
                                         true, true);
  EXPECT_EQ(unknown.format().channels, 1U);
  const capture::CameraConverter luma(*capture::findCameraPixels(V4L2_PIX_FMT_YUYV), 8, 6, 16,
                                      false);
  EXPECT_EQ(luma.format().channels, 1U);
}

}  // namespace
}  // namespace glint
