// Colour as cameras send it, made colour images. Internal to capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/capture/cameras/camera_pixels.h"
#include "app/capture/video/frame_converter.h"
#include "app/capture/video/libav.h"

namespace glint::capture {

/// Whether these pixels can be delivered in colour, too.
bool hasColour(const CameraPixels& pixels);

/// Makes frames of YUV, Bayer patterns (bilinear, by libswscale) and JPEG blue, green and red. Of
/// one camera.
class ColourConverter {
 public:
  /// `levels`: delivered value of each stored value of Bayer patterns; empty: the same. For the
  /// rest see CameraConverter.
  ColourConverter(const CameraPixels& pixels, size_t pitch, bool limited,
                  std::vector<uint16_t> levels);

  /// `frame` is whole. False where it is no whole JPEG of this size.
  bool convert(std::span<const std::byte> frame, const gpu::ImageView& image);

 private:
  void place(std::span<const std::byte> frame, const gpu::ImageFormat& format);

  CameraPixels pixels_;
  size_t pitch_;
  std::vector<uint16_t> levels_;
  std::vector<uint16_t> scaled_;  ///< a Bayer pattern by the levels
  libav::Frame frame_;
  FrameConverter converter_;
};

}  // namespace glint::capture
