#include "app/capture/video/frame_converter.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::capture {
namespace {

const AVPixFmtDescriptor& describe(const AVFrame& frame) {
  const auto* description = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (!description) throw Error("a decoded frame has no known pixel format");
  return *description;
}

bool isGrey(const AVPixFmtDescriptor& d) {
  constexpr uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                             AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER |
                             AV_PIX_FMT_FLAG_HWACCEL;
  return d.nb_components == 1 && (d.flags & other) == 0 && d.comp[0].depth >= 8 &&
         d.comp[0].depth <= 16;
}

// Returns the format without the range in it. The "J" formats mean full range by their name; for
// all other formats the range is given beside the format, where swscale needs it.
AVPixelFormat withoutRange(AVPixelFormat format) {
  constexpr std::array<std::pair<AVPixelFormat, AVPixelFormat>, 5> kPairs{
      {{AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P},
       {AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P},
       {AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P},
       {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P},
       {AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P}}};
  for (const auto& [full, plain] : kPairs)
    if (format == full) return plain;
  return format;
}

}  // namespace

gpu::ImageFormat deliveredFormat(const AVFrame& frame) {
  const auto& d = describe(frame);
  return {.width = static_cast<uint32_t>(frame.width),
          .height = static_cast<uint32_t>(frame.height),
          .channels = isGrey(d) ? 1U : 3U,
          .bits = d.comp[0].depth > 8 ? 16U : 8U};
}

bool FrameConverter::convert(const AVFrame& frame, const gpu::ImageView& image) {
  const bool same =
      frame.format == pixelFormat_ && frame.color_range == range_ && frame.colorspace == matrix_;
  if (!same) {
    if (image.format.channels == 1) {
      prepareGrey(frame);
    } else {
      prepareColour(frame, image.format.bits == 8 ? AV_PIX_FMT_BGR24 : AV_PIX_FMT_BGR48);
    }
    pixelFormat_ = frame.format;
    range_ = frame.color_range;
    matrix_ = frame.colorspace;
  }
  if (image.format.channels == 3) return convertColour(frame, image);
  convertGrey(frame, image);
  return false;
}

bool FrameConverter::isLimited(const AVFrame& frame) const {
  if (frame.color_range != AVCOL_RANGE_UNSPECIFIED) return frame.color_range == AVCOL_RANGE_MPEG;
  const auto format = static_cast<AVPixelFormat>(frame.format);
  if (withoutRange(format) != format) return false;
  // Floats are of pictures, such as PFM and OpenEXR, whose full scale is 1.
  if ((describe(frame).flags & AV_PIX_FMT_FLAG_FLOAT) != 0) return false;
  // Grey without a statement comes from image-like codecs, which use all values; H.264 and H.265
  // define limited as their default (video_full_range_flag, H.264 annex E.2.1).
  if (isGrey(describe(frame))) return codec_ == AV_CODEC_ID_H264 || codec_ == AV_CODEC_ID_HEVC;
  return true;
}

void FrameConverter::prepareGrey(const AVFrame& frame) {
  const auto& d = describe(frame);
  const int bits = d.comp[0].depth;
  const bool swapped = (d.flags & AV_PIX_FMT_FLAG_BE) != 0 && bits > 8;
  const bool limited = isLimited(frame);
  levels_.clear();
  if (!limited && !swapped && (bits == 8 || bits == 16)) return;

  const double unit = std::ldexp(1.0, bits - 8);
  const double low = limited ? 16 * unit : 0;
  const double high = limited ? 235 * unit : std::ldexp(1.0, bits) - 1;
  const double full = bits == 8 ? 255 : 65535;
  levels_.resize(bits == 8 ? 256 : 65536);
  for (size_t stored = 0; stored < levels_.size(); ++stored) {
    const size_t value = swapped ? ((stored & 0xFF) << 8 | stored >> 8) : stored;
    const double level = std::round((static_cast<double>(value) - low) * full / (high - low));
    levels_[stored] = static_cast<uint16_t>(std::clamp(level, 0.0, full));
  }
}

void FrameConverter::convertGrey(const AVFrame& frame, const gpu::ImageView& image) {
  const size_t width = image.format.width;
  for (uint32_t y = 0; y < image.format.height; ++y) {
    const uint8_t* from = frame.data[0] + ptrdiff_t{frame.linesize[0]} * y;
    auto* to = reinterpret_cast<uint8_t*>(image.row(y));
    if (levels_.empty()) {
      std::memcpy(to, from, width * image.format.bytesPerPixel());
    } else if (image.format.bits == 8) {
      for (size_t x = 0; x < width; ++x) to[x] = static_cast<uint8_t>(levels_[from[x]]);
    } else {
      for (size_t x = 0; x < width; ++x) {
        uint16_t value = 0;
        std::memcpy(&value, from + 2 * x, 2);
        std::memcpy(to + 2 * x, &levels_[value], 2);
      }
    }
  }
}

libav::Scaler FrameConverter::makeScaler(const AVFrame& frame, int width, int height,
                                         AVPixelFormat target) const {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  libav::Scaler scaler(sws_getContext(width, height, withoutRange(format), width, height, target,
                                      libav::kScalerFlags, nullptr, nullptr, nullptr));
  if (!scaler) {
    throw Error("pixels of the kind {} cannot be converted to colour", av_get_pix_fmt_name(format));
  }
  const int matrix = frame.colorspace == AVCOL_SPC_UNSPECIFIED ? SWS_CS_ITU601
                                                               : static_cast<int>(frame.colorspace);
  // This fails for formats without a matrix (RGB), which need none.
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(matrix), isLimited(frame) ? 0 : 1,
                           sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16);
  return scaler;
}

void FrameConverter::prepareColour(const AVFrame& frame, AVPixelFormat target) {
  scaler_ = makeScaler(frame, frame.width, frame.height, target);
  neutral_ = {};
  if (target != AV_PIX_FMT_BGR24) return;
  neutral_ = NeutralColour(
      frame, [&](int width, int height) { return makeScaler(frame, width, height, target); });
}

bool FrameConverter::convertColour(const AVFrame& frame, const gpu::ImageView& image) {
  if (neutral_.convert(frame, image)) return image.grey != nullptr;
  uint8_t* const planes[] = {reinterpret_cast<uint8_t*>(image.data)};
  const int pitches[] = {static_cast<int>(image.rowPitch)};
  sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, planes, pitches);
  return false;
}

}  // namespace glint::capture
