#include "app/capture/images/libav_image.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <array>
#include <cstring>

#include "app/capture/video/frame_converter.h"
#include "app/capture/video/video_decoder.h"
#include "config/error.h"

namespace glint::capture {
namespace {

/// Floats in planes, of grey or of green, blue and red; empty for other formats.
cv::Mat floatsOf(const AVFrame& frame) {
  const bool grey = frame.format == AV_PIX_FMT_GRAYF32;
  const bool colour = frame.format == AV_PIX_FMT_GBRPF32 || frame.format == AV_PIX_FMT_GBRAPF32;
  if (!grey && !colour) return {};
  const int channels = grey ? 1 : 3;
  cv::Mat image(frame.height, frame.width, CV_32FC(channels));
  constexpr std::array<int, 3> kPlanes{1, 0, 2};  // of blue, green and red
  for (int c = 0; c < channels; ++c) {
    const size_t plane = grey ? 0 : static_cast<size_t>(kPlanes[static_cast<size_t>(c)]);
    const cv::Mat one(frame.height, frame.width, CV_32FC1);
    for (int y = 0; y < frame.height; ++y)
      std::memcpy(const_cast<uchar*>(one.ptr(y)),
                  frame.data[plane] + ptrdiff_t{frame.linesize[plane]} * y,
                  sizeof(float) * static_cast<size_t>(frame.width));
    const std::array<int, 2> pair{0, c};
    cv::mixChannels(&one, 1, &image, 1, pair.data(), 1);
  }
  return image;
}

}  // namespace

cv::Mat decodeByLibav(const std::string& path, const Interrupt* interrupt) {
  VideoDecoder decoder(Address(path), false, interrupt);
  if (!decoder.next())
    throw Error("'{}' is not an image that can be read{}", path, decoder.whyNone());
  const AVFrame& frame = decoder.frame();
  if (cv::Mat floats = floatsOf(frame); !floats.empty()) return floats;
  const gpu::ImageFormat format = deliveredFormat(frame);
  cv::Mat image(static_cast<int>(format.height), static_cast<int>(format.width),
                CV_MAKETYPE(format.bits == 8 ? CV_8U : CV_16U, static_cast<int>(format.channels)));
  FrameConverter(decoder.codec())
      .convert(frame, {format, reinterpret_cast<std::byte*>(image.data), image.step});
  return image;
}

}  // namespace glint::capture
