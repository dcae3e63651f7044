// Turns frames of cameras into images in colour. Internal to capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/capture/cameras/camera_pixels.h"
#include "app/capture/video/frame_converter.h"
#include "app/capture/video/libav.h"

namespace glint::capture {

/// Returns true if images of these pixels can be in colour.
bool hasColour(const CameraPixels& pixels);

/// Turns frames of one camera, in YUV, Bayer patterns (bilinear, by libswscale) or JPEG, into
/// images of blue, green and red.
class ColourConverter {
 public:
  /// `levels`: delivered value for each stored value of Bayer patterns; empty: they are equal. For
  /// the other parameters see CameraConverter.
  ColourConverter(const CameraPixels& pixels, size_t pitch, bool limited,
                  std::vector<uint16_t> levels);

  /// Converts a frame, which must not be too short, into `image`. Returns false if a JPEG is not
  /// whole or has another size.
  bool convert(std::span<const std::byte> frame, const gpu::ImageView& image);

 private:
  void place(std::span<const std::byte> frame, const gpu::ImageFormat& format);

  CameraPixels pixels_;
  size_t pitch_;
  std::vector<uint16_t> levels_;
  std::vector<uint16_t> scaled_;  ///< the present Bayer pattern with its delivered values
  libav::Frame frame_;
  FrameConverter converter_;
};

}  // namespace glint::capture
