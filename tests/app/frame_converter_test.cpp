// Tests pixel formats and ranges that VideoWriter does not write.
#include "app/capture/video/frame_converter.h"

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/cameras/camera_converter.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

constexpr int kWidth = 5, kHeight = 2;

// Returns a frame whose planes hold one value each, in two bytes if `wide`.
capture::libav::Frame makeFrame(AVPixelFormat format, AVColorRange range,
                                std::vector<uint16_t> values, bool wide = false) {
  capture::libav::Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = kWidth;
  frame->height = kHeight;
  frame->color_range = range;
  EXPECT_GE(av_frame_get_buffer(frame.get(), 0), 0);
  for (size_t plane = 0; plane < values.size(); ++plane) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        uint8_t* at = frame->data[plane] + y * frame->linesize[plane] + x * (wide ? 2 : 1);
        if (wide) {
          std::memcpy(at, &values[plane], 2);
        } else {
          *at = static_cast<uint8_t>(values[plane]);
        }
      }
    }
  }
  return frame;
}

struct Case {
  const char* name;
  AVPixelFormat format;
  AVColorRange range;
  AVCodecID codec;
  std::vector<uint16_t> stored;  // The stored value of each plane.
  gpu::ImageFormat delivered;
  int value;  // The delivered value of every channel.
};

constexpr gpu::ImageFormat kGrey8{kWidth, kHeight, 1, 8}, kGrey16{kWidth, kHeight, 1, 16};
constexpr gpu::ImageFormat kColour8{kWidth, kHeight, 3, 8}, kColour16{kWidth, kHeight, 3, 16};

class FrameConverterTest : public testing::TestWithParam<Case> {};

TEST_P(FrameConverterTest, DeliversFullScale) {
  const Case& c = GetParam();
  const bool wide = c.format != AV_PIX_FMT_GRAY8 && c.format != AV_PIX_FMT_YUV444P &&
                    c.format != AV_PIX_FMT_YUVJ444P;
  const capture::libav::Frame frame = makeFrame(c.format, c.range, c.stored, wide);
  ASSERT_EQ(capture::deliveredFormat(*frame), c.delivered);
  Picture picture(c.delivered);
  capture::FrameConverter(c.codec).convert(*frame, picture.view());
  for (uint32_t channel = 0; channel < c.delivered.channels; ++channel) {
    // FrameConverter documents this error of swscale's arithmetic.
    const int tolerance = c.delivered == kColour16 ? 262 : 0;
    EXPECT_NEAR(picture.value(0, 0, channel), c.value, tolerance);
    EXPECT_NEAR(picture.value(kWidth - 1, kHeight - 1, channel), c.value, tolerance);
  }
  EXPECT_TRUE(picture.paddingIsIntact());
}

constexpr auto kNone = AVCOL_RANGE_UNSPECIFIED, kFull = AVCOL_RANGE_JPEG, kTv = AVCOL_RANGE_MPEG;
constexpr auto kFfv1 = AV_CODEC_ID_FFV1, kH264 = AV_CODEC_ID_H264;

INSTANTIATE_TEST_SUITE_P(
    , FrameConverterTest,
    testing::Values(
        Case{"GreyUnstated", AV_PIX_FMT_GRAY8, kNone, kFfv1, {77}, kGrey8, 77},
        Case{"GreyFull", AV_PIX_FMT_GRAY8, kFull, kH264, {77}, kGrey8, 77},
        Case{"GreyLimitedWhite", AV_PIX_FMT_GRAY8, kTv, kFfv1, {235}, kGrey8, 255},
        Case{"GreyLimitedMiddle", AV_PIX_FMT_GRAY8, kTv, kFfv1, {126}, kGrey8, 128},
        Case{"GreyLimitedBelowBlack", AV_PIX_FMT_GRAY8, kTv, kFfv1, {3}, kGrey8, 0},
        Case{"GreyUnstatedH264", AV_PIX_FMT_GRAY8, kNone, kH264, {16}, kGrey8, 0},
        Case{"Grey10White", AV_PIX_FMT_GRAY10, kFull, kFfv1, {1023}, kGrey16, 65535},
        Case{"Grey10Middle", AV_PIX_FMT_GRAY10, kFull, kFfv1, {512}, kGrey16, 32800},
        Case{"Grey10Limited", AV_PIX_FMT_GRAY10, kTv, kFfv1, {940}, kGrey16, 65535},
        Case{"Grey12", AV_PIX_FMT_GRAY12, kFull, kFfv1, {1}, kGrey16, 16},
        Case{"Grey14", AV_PIX_FMT_GRAY14, kFull, kFfv1, {16383}, kGrey16, 65535},
        Case{"Grey16", AV_PIX_FMT_GRAY16LE, kNone, kFfv1, {12345}, kGrey16, 12345},
        Case{"Grey16BigEndian", AV_PIX_FMT_GRAY16BE, kNone, kFfv1, {0x3412}, kGrey16, 0x1234},
        Case{"YuvLimitedWhite", AV_PIX_FMT_YUV444P, kTv, kH264, {235, 128, 128}, kColour8, 255},
        Case{"YuvUnstatedBlack", AV_PIX_FMT_YUV444P, kNone, kH264, {16, 128, 128}, kColour8, 0},
        Case{"YuvFull", AV_PIX_FMT_YUV444P, kFull, kH264, {200, 128, 128}, kColour8, 200},
        Case{"YuvFullByName", AV_PIX_FMT_YUVJ444P, kNone, kH264, {16, 128, 128}, kColour8, 16},
        Case{"Yuv10", AV_PIX_FMT_YUV444P10, kTv, kH264, {940, 512, 512}, kColour16, 65535}),
    [](const auto& row) { return row.param.name; });

TEST(FrameConverter, FollowsAChangeOfRange) {
  capture::FrameConverter converter(kFfv1);
  Picture picture(kGrey8);
  converter.convert(*makeFrame(AV_PIX_FMT_GRAY8, kTv, {235}), picture.view());
  EXPECT_EQ(picture.value(0, 0), 255);
  converter.convert(*makeFrame(AV_PIX_FMT_GRAY8, kFull, {235}), picture.view());
  EXPECT_EQ(picture.value(0, 0), 235);
}

/// Returns what swscale makes of a frame of YUV, with the flags that all conversions use.
std::vector<uint8_t> byScaler(const AVFrame& frame, AVPixelFormat format) {
  const capture::libav::Scaler scaler(
      sws_getContext(frame.width, frame.height, format, frame.width, frame.height, AV_PIX_FMT_BGR24,
                     capture::libav::kScalerFlags, nullptr, nullptr, nullptr));
  const int full = frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0;
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(SWS_CS_ITU601), full,
                           sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16);
  const int pitch = 3 * frame.width;
  std::vector<uint8_t> made(static_cast<size_t>(pitch * frame.height) + 64);
  uint8_t* const planes[] = {made.data()};
  sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, planes, &pitch);
  made.resize(static_cast<size_t>(pitch * frame.height));
  return made;
}

// YUV without any colour is converted by code of its own, and must give what swscale gives.
TEST(FrameConverter, YuvWithoutColourIsAsTheScalerHasIt) {
  std::mt19937 random(7);
  for (const AVPixelFormat format : {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_NV12}) {
    for (const AVColorRange range : {AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG}) {
      capture::libav::Frame frame(av_frame_alloc());
      frame->format = format;
      frame->width = 46;
      frame->height = 18;
      frame->color_range = range;
      ASSERT_GE(av_frame_get_buffer(frame.get(), 0), 0);
      for (const AVBufferRef* buffer : frame->buf)
        if (buffer) std::memset(buffer->data, 128, buffer->size);
      for (int y = 0; y < frame->height; ++y)
        for (int x = 0; x < frame->width; ++x)
          frame->data[0][y * frame->linesize[0] + x] = static_cast<uint8_t>(random());
      capture::FrameConverter converter(kH264);
      for (const int chroma : {128, 129, 20, 128}) {
        frame->data[1][frame->linesize[1] * 7 + 5] = static_cast<uint8_t>(chroma);
        Picture picture(gpu::ImageFormat{46, 18, 3, 8}), grey(gpu::ImageFormat{46, 18, 1, 8});
        Picture untouched(gpu::ImageFormat{46, 18, 3, 8});
        gpu::ImageView view = picture.view();
        ASSERT_FALSE(converter.convert(*frame, view)) << "there is no room for its grey";
        gpu::ImageView besides = untouched.view();
        std::memset(besides.data, 77, besides.rowPitch * 17 + 138);
        besides.grey = grey.view().data;
        besides.greyPitch = grey.view().rowPitch;
        const bool neutral = converter.convert(*frame, besides);
        ASSERT_EQ(neutral, chroma == 128);
        for (uint32_t i = 0; neutral && i < 46 * 18; ++i) {
          ASSERT_EQ(grey.value(i % 46, i / 46), picture.value(i % 46, i / 46, 1));
          ASSERT_EQ(untouched.value(i % 46, i / 46, i % 3), 77U);
        }
        EXPECT_TRUE(grey.paddingIsIntact());
        const std::vector<uint8_t> expected = byScaler(*frame, format);
        for (uint32_t y = 0; y < 18; ++y)
          ASSERT_EQ(std::memcmp(picture.view().row(y), &expected[size_t{138} * y], 138), 0)
              << "format " << format << ", range " << range << ", chroma " << chroma;
        EXPECT_TRUE(picture.paddingIsIntact());
      }
    }
  }
}

// ---- Pixels of cameras

/// Returns three converted pixels of one row.
std::array<uint16_t, 3> convertRow(capture::CameraPixels::Layout layout, uint32_t bits,
                                   const std::vector<int>& stored) {
  capture::CameraConverter converter({.layout = layout, .bits = bits}, 3, 1, 0, false);
  std::vector<std::byte> bytes;
  for (const int value : stored) bytes.push_back(static_cast<std::byte>(value));
  std::array<uint16_t, 3> row{};
  const gpu::ImageView image{converter.format(), reinterpret_cast<std::byte*>(row.data()),
                             sizeof row};
  EXPECT_TRUE(converter.convert(bytes, image));
  bytes.pop_back();
  EXPECT_FALSE(converter.convert(bytes, image));  // These bytes are cut short.
  return row;
}

std::array<uint16_t, 3> fullScale(const std::array<int, 3>& values, int most) {
  std::array<uint16_t, 3> row{};
  for (size_t i = 0; i < 3; ++i)
    row[i] = static_cast<uint16_t>(std::lround(values[i] * 65535.0 / most));
  return row;
}

// The bytes were worked out by hand from the GigE Vision specification, the Pixel Format Naming
// Convention (PFNC) and MIPI CSI-2.
TEST(CameraConverterTest, PackedGreyIsUnpacked) {
  using Layout = capture::CameraPixels::Layout;
  const auto twelve = fullScale({0xABC, 0x123, 0xFFE}, 4095);
  EXPECT_EQ(convertRow(Layout::greyPacked, 12, {0xAB, 0x3C, 0x12, 0xFF, 0x0E, 0x00}), twelve);
  EXPECT_EQ(convertRow(Layout::greyBits, 12, {0xBC, 0x3A, 0x12, 0xFE, 0x0F}), twelve);
  const auto ten = fullScale({0x2AB, 0x155, 0x3FE}, 1023);
  EXPECT_EQ(convertRow(Layout::greyPacked, 10, {0xAA, 0x13, 0x55, 0xFF, 0x02, 0x00}), ten);
  // 0x2AB = 1010101011, 0x155 = 0101010101 and 0x3FE = 1111111110; the low bits come first.
  EXPECT_EQ(convertRow(Layout::greyBits, 10, {0xAB, 0x56, 0xE5, 0x3F}), ten);
  EXPECT_EQ(convertRow(Layout::grey10Packed, 10, {0xAA, 0x55, 0xFF, 0x00, 0x27}), ten);
}

}  // namespace
}  // namespace glint
