// Frames as cameras send them, made grey images, or colour ones. Internal to capture/.
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

/// Makes frames of one camera grey, of 8 or 16 bits. Values span the full scale as those of
/// FrameConverter do. Of Bayer patterns each pixel is (R + 2 G + B) / 4 of its 3 x 3 neighbours
/// with weights 1 2 1 by 1 2 1: the same mix everywhere, and nothing is shifted. If asked for,
/// colour is delivered as blue, green and red: see ColourConverter.
class CameraConverter {
 public:
  /// `pitch`: bytes from one row to the next. `limited`: luma lies from 16 to 235. `colour`: where
  /// the pixels have it.
  CameraConverter(const CameraPixels& pixels, uint32_t width, uint32_t height, uint32_t pitch,
                  bool limited, bool colour = false);

  const gpu::ImageFormat& format() const { return format_; }

  /// False where the frame is damaged: too short, or no whole JPEG of this size.
  bool convert(std::span<const std::byte> frame, const gpu::ImageView& image);

 private:
  bool isWhole(size_t bytes) const;
  void convertRow(const std::byte* from, std::byte* to) const;
  template <class T>
  void convertBayer(std::span<const std::byte> frame, const gpu::ImageView& image) const;

  CameraPixels pixels_;
  gpu::ImageFormat format_;
  size_t pitch_;
  std::vector<uint16_t> levels_;  ///< delivered value of each stored value; empty: the same
  std::unique_ptr<ColourConverter> colour_;  ///< null: grey
};

}  // namespace glint::capture
