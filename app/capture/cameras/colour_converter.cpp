#include "app/capture/cameras/colour_converter.h"

extern "C" {
#include <libavutil/frame.h>
}

#include <array>
#include <cstring>
#include <utility>

#include <linux/videodev2.h>

#include "app/capture/images/image_decoders.h"

namespace glint::capture {
namespace {

using Layout = CameraPixels::Layout;

struct Converted {
  uint32_t fourcc;
  AVPixelFormat format;
};

constexpr std::array kConverted{
    Converted{V4L2_PIX_FMT_NV12, AV_PIX_FMT_NV12},
    Converted{V4L2_PIX_FMT_NV21, AV_PIX_FMT_NV21},
    Converted{V4L2_PIX_FMT_YUV420, AV_PIX_FMT_YUV420P},
    Converted{V4L2_PIX_FMT_YVU420, AV_PIX_FMT_YUV420P},
    Converted{V4L2_PIX_FMT_YUYV, AV_PIX_FMT_YUYV422},
    Converted{V4L2_PIX_FMT_YVYU, AV_PIX_FMT_YVYU422},
    Converted{V4L2_PIX_FMT_UYVY, AV_PIX_FMT_UYVY422},
    Converted{V4L2_PIX_FMT_SBGGR8, AV_PIX_FMT_BAYER_BGGR8},
    Converted{V4L2_PIX_FMT_SGBRG8, AV_PIX_FMT_BAYER_GBRG8},
    Converted{V4L2_PIX_FMT_SGRBG8, AV_PIX_FMT_BAYER_GRBG8},
    Converted{V4L2_PIX_FMT_SRGGB8, AV_PIX_FMT_BAYER_RGGB8},
    Converted{V4L2_PIX_FMT_SBGGR10, AV_PIX_FMT_BAYER_BGGR16},
    Converted{V4L2_PIX_FMT_SGBRG10, AV_PIX_FMT_BAYER_GBRG16},
    Converted{V4L2_PIX_FMT_SGRBG10, AV_PIX_FMT_BAYER_GRBG16},
    Converted{V4L2_PIX_FMT_SRGGB10, AV_PIX_FMT_BAYER_RGGB16},
    Converted{V4L2_PIX_FMT_SBGGR12, AV_PIX_FMT_BAYER_BGGR16},
    Converted{V4L2_PIX_FMT_SGBRG12, AV_PIX_FMT_BAYER_GBRG16},
    Converted{V4L2_PIX_FMT_SGRBG12, AV_PIX_FMT_BAYER_GRBG16},
    Converted{V4L2_PIX_FMT_SRGGB12, AV_PIX_FMT_BAYER_RGGB16},
    Converted{V4L2_PIX_FMT_SBGGR16, AV_PIX_FMT_BAYER_BGGR16},
    Converted{V4L2_PIX_FMT_SGBRG16, AV_PIX_FMT_BAYER_GBRG16},
    Converted{V4L2_PIX_FMT_SGRBG16, AV_PIX_FMT_BAYER_GRBG16},
    Converted{V4L2_PIX_FMT_SRGGB16, AV_PIX_FMT_BAYER_RGGB16},
};

AVPixelFormat formatOf(uint32_t fourcc) {
  for (const Converted& known : kConverted)
    if (known.fourcc == fourcc) return known.format;
  return AV_PIX_FMT_NONE;
}

}  // namespace

bool hasColour(const CameraPixels& pixels) {
  return pixels.layout == Layout::jpeg || formatOf(pixels.fourcc) != AV_PIX_FMT_NONE;
}

ColourConverter::ColourConverter(const CameraPixels& pixels, size_t pitch, bool limited,
                                 std::vector<uint16_t> levels)
    : pixels_(pixels),
      pitch_(pitch),
      levels_(std::move(levels)),
      frame_(av_frame_alloc()),
      converter_(AV_CODEC_ID_RAWVIDEO) {
  frame_->format = formatOf(pixels.fourcc);
  frame_->color_range = limited ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG;
}

/// Makes frame_ point at the planes of `frame`.
void ColourConverter::place(std::span<const std::byte> frame, const gpu::ImageFormat& format) {
  AVFrame& f = *frame_;
  f.width = static_cast<int>(format.width);
  f.height = static_cast<int>(format.height);
  const size_t height = format.height;
  // libav takes only pixels that are not const, but does not change them.
  auto* data = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(frame.data()));
  f.data[0] = data;
  f.data[1] = data + pitch_ * height;
  f.linesize[0] = f.linesize[1] = static_cast<int>(pitch_);
  if (f.format == AV_PIX_FMT_YUV420P) {
    f.linesize[1] = f.linesize[2] = static_cast<int>(pitch_ / 2);
    f.data[2] = f.data[1] + pitch_ / 2 * (height / 2);
    if (pixels_.fourcc == V4L2_PIX_FMT_YVU420) std::swap(f.data[1], f.data[2]);
  }
  if (pixels_.layout != Layout::bayer16 || levels_.empty()) return;
  const size_t width = format.width;
  scaled_.resize(width * height);
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      uint16_t stored = 0;
      std::memcpy(&stored, data + pitch_ * y + 2 * x, 2);
      scaled_[y * width + x] = levels_[stored];
    }
  }
  f.data[0] = reinterpret_cast<uint8_t*>(scaled_.data());
  f.linesize[0] = static_cast<int>(2 * width);
}

bool ColourConverter::convert(std::span<const std::byte> frame, const gpu::ImageView& image) {
  if (pixels_.layout == Layout::jpeg) return decodeJpegInto(frame, image);
  place(frame, image.format);
  converter_.convert(*frame_, image);
  return true;
}

}  // namespace glint::capture
