// Converts decoded frames of libav to Glint's images. Internal to capture/.
#pragma once

#include <cstdint>
#include <vector>

#include "app/capture/video/libav.h"
#include "app/capture/video/neutral_colour.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Returns the format of the image that is made from a decoded frame: one channel of 8 or 16 bits
/// for grey of 8 or 9-16 bits; BGR for everything else, with 16 bits if the frame has more than 8.
/// Alpha is dropped.
gpu::ImageFormat deliveredFormat(const AVFrame& frame);

/// Converts frames, one after another, whose properties may change from frame to frame.
class FrameConverter {
 public:
  explicit FrameConverter(AVCodecID codec) : codec_(codec) {}

  /// Writes `frame` into `image`, whose format must be deliveredFormat(frame). Values span the full
  /// scale: limited range ("TV", 16-235) is expanded, and grey of 9-15 bits is scaled by 65535 /
  /// (2^bits - 1). If the frame states no colour matrix, it is taken as BT.601. Colour of 16 bits
  /// made from YUV is exact only to 0.4 % of full scale (swscale's arithmetic). Returns true if the
  /// frame has no colour and only `image.grey` was written: see FrameStamp::neutral. Throws Error
  /// if the pixel format cannot be converted.
  bool convert(const AVFrame& frame, const gpu::ImageView& image);

  /// Returns true if black is 16 and white 235 of 255, as the frame states or its codec implies.
  bool isLimited(const AVFrame& frame) const;

 private:
  void convertGrey(const AVFrame& frame, const gpu::ImageView& image);
  bool convertColour(const AVFrame& frame, const gpu::ImageView& image);
  void prepareGrey(const AVFrame& frame);
  void prepareColour(const AVFrame& frame, AVPixelFormat target);
  libav::Scaler makeScaler(const AVFrame& frame, int width, int height, AVPixelFormat target) const;

  AVCodecID codec_;
  // The table or the scaler below was made for frames with these three properties.
  int pixelFormat_ = AV_PIX_FMT_NONE;
  AVColorRange range_ = AVCOL_RANGE_UNSPECIFIED;
  AVColorSpace matrix_ = AVCOL_SPC_UNSPECIFIED;
  std::vector<uint16_t> levels_;  ///< delivered value for each stored value; empty: they are equal
  libav::Scaler scaler_;
  NeutralColour neutral_;  ///< converts frames without colour, which need no scaler
};

}  // namespace glint::capture
