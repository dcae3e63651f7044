// Pixel formats and ranges that VideoWriter does not write.
#include "app/capture/frame_converter.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/pictures.h"

namespace glint {
namespace {

constexpr int kWidth = 5, kHeight = 2;

// A frame whose every plane holds the same samples, one value a plane, in two bytes if `wide`.
libav::Frame makeFrame(AVPixelFormat format, AVColorRange range, std::vector<uint16_t> values,
                       bool wide = false) {
  libav::Frame frame(av_frame_alloc());
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
  std::vector<uint16_t> stored;  // of each plane
  ImageFormat delivered;
  int value;  // of every channel
};

constexpr ImageFormat kGrey8{kWidth, kHeight, 1, 8}, kGrey16{kWidth, kHeight, 1, 16};
constexpr ImageFormat kColour8{kWidth, kHeight, 3, 8}, kColour16{kWidth, kHeight, 3, 16};

class FrameConverterTest : public testing::TestWithParam<Case> {};

TEST_P(FrameConverterTest, DeliversFullScale) {
  const Case& c = GetParam();
  const bool wide = c.format != AV_PIX_FMT_GRAY8 && c.format != AV_PIX_FMT_YUV444P &&
                    c.format != AV_PIX_FMT_YUVJ444P;
  const libav::Frame frame = makeFrame(c.format, c.range, c.stored, wide);
  ASSERT_EQ(deliveredFormat(*frame), c.delivered);
  Picture picture(c.delivered);
  FrameConverter(c.codec).convert(*frame, picture.view());
  for (uint32_t channel = 0; channel < c.delivered.channels; ++channel) {
    // What FrameConverter promises of swscale's arithmetic.
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
  FrameConverter converter(kFfv1);
  Picture picture(kGrey8);
  converter.convert(*makeFrame(AV_PIX_FMT_GRAY8, kTv, {235}), picture.view());
  EXPECT_EQ(picture.value(0, 0), 255);
  converter.convert(*makeFrame(AV_PIX_FMT_GRAY8, kFull, {235}), picture.view());
  EXPECT_EQ(picture.value(0, 0), 235);
}

}  // namespace
}  // namespace glint
