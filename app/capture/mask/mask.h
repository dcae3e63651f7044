// Reads, learns and writes the masks of a session's cameras: image files in which 0 means "ignore".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::capture {

/// Returns the mask files of a session, one for each camera: `mask` (detect.mask) with its "%d"
/// replaced by the camera's number, or `mask` itself for all cameras if it has no "%d" or a file
/// has exactly that name. Returns nothing if `mask` is empty.
std::vector<std::string> maskPaths(const std::string& mask, size_t cameras);

/// Reads a mask: an image of 8 or 16 bits and of the frames' size, in which a pixel is ignored if
/// all its channels are 0. Throws UsageError, which names the file, if it cannot be read, has
/// another size than the frames, or ignores every pixel.
gpu::LayerMask loadMask(const std::string& path, const gpu::ImageFormat& format);

/// Reads rectangles from a text "X,Y,W,H", with semicolons between them; blanks are ignored. Throws
/// UsageError, whose message begins with `where` if that is not empty, if a text is not a rectangle
/// of at least one pixel.
std::vector<gpu::PixelRect> parseRegions(std::string_view text, std::string_view where);

/// Returns the pixels of camera `camera` of `count` cameras that are measured, by detect.mask,
/// detect.region and detect.ignore; empty if all are. Throws UsageError as loadMask() does, and for
/// rectangles that reach beyond the frames or leave no pixel.
gpu::LayerMask measuredPixels(const Settings::Detect& detect, size_t camera, size_t count,
                              const gpu::ImageFormat& format);

/// Writes a mask as a PNG of 0 and 255, either whole or not at all. Throws Error, which names the
/// file.
void saveMask(const gpu::LayerMask& mask, const std::string& path);

/// Learns a mask from frames. A pixel disturbs in a frame if its luminance (with
/// `response.dark` or "inverted": the inverse of its luminance) reaches the threshold that the
/// frame would have with all disturbing pixels masked: `detect.threshold`, or with "auto" the
/// automatic threshold of the pixels below it.
class MaskLearner {
 public:
  MaskLearner(const Settings& settings, const gpu::ImageFormat& format);

  /// Adds a frame, which must have the constructor's format.
  void add(const gpu::ImageView& image);
  uint64_t frames() const { return frames_; }

  /// Returns the usual width of the rim around a disturbance that is ignored, px: half of
  /// detect.separation.
  static int usualGrow(const Settings& settings);

  /// Returns a mask that ignores the pixels that disturbed in at least `share` (0 to 1) of the
  /// frames, and at least once, and all pixels within `grow` px (>= 0) of them. Noise and moving
  /// markers disturb a pixel in few frames only.
  gpu::LayerMask mask(double share, int grow) const;

 private:
  uint32_t thresholdOf(const std::vector<uint32_t>& histogram) const;

  gpu::ImageFormat format_;
  Threshold threshold_;
  double sigma_;
  bool dark_;
  uint64_t frames_ = 0;
  std::vector<uint32_t> values_;  // values of the present frame, raster order
  std::vector<uint32_t> counts_;  // for each pixel, the number of frames in which it disturbed
};

}  // namespace glint::capture
