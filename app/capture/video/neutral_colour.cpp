#include "app/capture/video/neutral_colour.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cstring>
#include <numeric>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace glint::capture {
namespace {

constexpr uint8_t kNoColour = 128;  // value of neutral chroma
constexpr int kBandRows = 16;

const AVPixFmtDescriptor* pixelFormatOf(const AVFrame& frame) {
  return av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
}

bool hasChromaPlanes(const AVPixFmtDescriptor& d) {
  return d.nb_components >= 3 && (d.flags & AV_PIX_FMT_FLAG_RGB) == 0 && d.comp[0].depth == 8 &&
         d.comp[0].step == 1 && d.comp[1].plane > 0 && d.comp[2].plane > 0;
}

size_t chromaBytes(const AVPixFmtDescriptor& d, int channel, int width) {
  return static_cast<size_t>(AV_CEIL_RSHIFT(width, d.log2_chroma_w) * d.comp[channel].step);
}

/// Returns a picture without colour that has every luma in each row.
libav::Frame makeRamp(const AVFrame& like, int width, int height) {
  libav::Frame ramp(av_frame_alloc());
  ramp->format = like.format;
  ramp->width = width;
  ramp->height = height;
  if (av_frame_get_buffer(ramp.get(), 0) < 0) return nullptr;
  for (const AVBufferRef* buffer : ramp->buf)
    if (buffer) std::memset(buffer->data, kNoColour, buffer->size);
  for (int y = 0; y < height; ++y) {
    uint8_t* row = ramp->data[0] + ptrdiff_t{ramp->linesize[0]} * y;
    std::iota(row, row + width, uint8_t{0});
  }
  return ramp;
}

}  // namespace

NeutralColour::NeutralColour(const AVFrame& like, const MakeScaler& scaler) {
  constexpr int kValues = 256, kRows = 8;
  const AVPixFmtDescriptor& d = *pixelFormatOf(like);
  if (!hasChromaPlanes(d)) return;
  const libav::Frame ramp = makeRamp(like, kValues, kRows);
  if (!ramp) return;
  cv::Mat colour(kRows, kValues, CV_8UC3);
  uint8_t* const planes[] = {colour.data};
  const int pitches[] = {static_cast<int>(colour.step)};
  sws_scale(scaler(kValues, kRows).get(), ramp->data, ramp->linesize, 0, kRows, planes, pitches);
  cv::Mat grey, expected;
  cv::extractChannel(colour.row(0), grey, 0);
  cv::cvtColor(cv::repeat(grey, kRows, 1), expected, cv::COLOR_GRAY2BGR);
  if (cv::norm(colour, expected, cv::NORM_INF) != 0) return;
  levels_.assign(grey.data, grey.data + kValues);
  sameLevels_ = true;
  for (int i = 0; i < kValues; ++i)
    sameLevels_ = sameLevels_ && levels_[static_cast<size_t>(i)] == i;
  noColour_.assign(std::max(chromaBytes(d, 1, like.width), chromaBytes(d, 2, like.width)),
                   kNoColour);
}

bool NeutralColour::isNeutral(const AVFrame& frame) const {
  const AVPixFmtDescriptor& d = *pixelFormatOf(frame);
  const int rows = AV_CEIL_RSHIFT(frame.height, d.log2_chroma_h);
  for (const int channel : {1, 2}) {
    const int plane = d.comp[channel].plane;
    for (int y = 0; y < rows; ++y) {
      const uint8_t* row = frame.data[plane] + ptrdiff_t{frame.linesize[plane]} * y;
      if (std::memcmp(row, noColour_.data(), chromaBytes(d, channel, frame.width)) != 0)
        return false;
    }
  }
  return true;
}

bool NeutralColour::convert(const AVFrame& frame, const gpu::ImageView& image) {
  if (levels_.empty() || !isNeutral(frame)) return false;
  const auto width = static_cast<size_t>(frame.width);
  if (!image.grey) band_.resize(width * kBandRows);
  for (int y = 0; y < frame.height; y += kBandRows) {
    const int rows = std::min(kBandRows, frame.height - y);
    const cv::Mat luma(rows, frame.width, CV_8UC1, frame.data[0] + ptrdiff_t{frame.linesize[0]} * y,
                       static_cast<size_t>(frame.linesize[0]));
    const auto row = static_cast<uint32_t>(y);
    if (image.grey) {
      cv::Mat grey(rows, frame.width, CV_8UC1, image.greyRow(row), image.greyPitch);
      sameLevels_ ? luma.copyTo(grey) : cv::LUT(luma, levels_, grey);
    } else {
      cv::Mat grey(rows, frame.width, CV_8UC1, band_.data(), width);
      cv::Mat colour(rows, frame.width, CV_8UC3, image.row(row), image.rowPitch);
      if (!sameLevels_) cv::LUT(luma, levels_, grey);
      cv::cvtColor(sameLevels_ ? luma : grey, colour, cv::COLOR_GRAY2BGR);
    }
  }
  return true;
}

}  // namespace glint::capture
