// Turns frames as cameras send them into grey or colour images. Internal to capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/capture/cameras/camera_pixels.h"
#include "app/capture/cameras/colour_converter.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Turns frames of one camera into grey images of 8 or 16 bits. Values span the full scale, as
/// those of FrameConverter do. Each pixel of a Bayer pattern becomes (R + 2 G + B) / 4 of its 3 x 3
/// neighbourhood with weights 1 2 1 by 1 2 1: the same mix for every pixel, without a shift. If
/// colour is asked for, images have blue, green and red: see ColourConverter.
class CameraConverter {
 public:
  /// `pitch`: bytes from one row to the next. `limited`: true if luma lies from 16 to 235.
  /// `colour`: true to make images in colour, if the pixels have colour.
  CameraConverter(const CameraPixels& pixels, uint32_t width, uint32_t height, uint32_t pitch,
                  bool limited, bool colour = false);

  const gpu::ImageFormat& format() const { return format_; }

  /// Converts a frame into `image`. Returns false if the frame is damaged: too short, or not a
  /// whole JPEG of this size.
  bool convert(std::span<const std::byte> frame, const gpu::ImageView& image);

 private:
  bool isWhole(size_t bytes) const;
  void convertRow(const std::byte* from, std::byte* to) const;
  template <class T>
  void convertBayer(std::span<const std::byte> frame, const gpu::ImageView& image) const;

  CameraPixels pixels_;
  gpu::ImageFormat format_;
  size_t pitch_;
  std::vector<uint16_t> levels_;  ///< delivered value for each stored value; empty: they are equal
  std::unique_ptr<ColourConverter> colour_;  ///< null if images are grey
};

}  // namespace glint::capture
