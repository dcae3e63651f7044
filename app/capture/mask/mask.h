// Masks of a session's cameras: image files, 0 = ignore, and how they are learned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::capture {

/// The mask files of a session, one a camera: `detect.mask` itself for all of them, or with its
/// "%d" replaced by the camera's number, unless a file has that very name. Empty if it is empty.
std::vector<std::string> maskPaths(const std::string& mask, size_t cameras);

/// Reads one: an image of 8 or 16 bits and the frames' size; a pixel is ignored where every channel
/// is 0. Throws UsageError naming a file that cannot be read, is not of the frames' size, or
/// ignores every pixel.
gpu::LayerMask loadMask(const std::string& path, const gpu::ImageFormat& format);

/// "X,Y,W,H" of several rectangles, with semicolons between them; blanks are left out. Throws
/// UsageError, which begins with `where` if that is not empty, for what is no rectangle of at least
/// one pixel.
std::vector<gpu::PixelRect> parseRegions(std::string_view text, std::string_view where);

/// What of camera `camera` of `count` is measured, by detect.mask, detect.region and detect.ignore;
/// empty: all. Throws UsageError as loadMask() does, and for rectangles that reach beyond the
/// frames or leave no pixel.
gpu::LayerMask measuredPixels(const Settings::Detect& detect, size_t camera, size_t count,
                              const gpu::ImageFormat& format);

/// Writes a mask as a PNG of 0 and 255, whole or not at all. Throws Error naming the file.
void saveMask(const gpu::LayerMask& mask, const std::string& path);

/// A pixel disturbs in a frame where it reaches the threshold that its frame would have once all
/// disturbing pixels are masked: `detect.threshold`, or with "auto" the automatic threshold of the
/// pixels below it. It is in the luminance that this is looked at, with `response.dark` or
/// "inverted" in its inverse.
class MaskLearner {
 public:
  MaskLearner(const Settings& settings, const gpu::ImageFormat& format);

  /// One frame of the format given.
  void add(const gpu::ImageView& image);
  uint64_t frames() const { return frames_; }

  /// Default of how many px around a disturbance are ignored: half of detect.separation.
  static int usualGrow(const Settings& settings);

  /// Ignores pixels that disturbed in at least `share` (0 to 1) of the frames, and at least once,
  /// and all within `grow` px (>= 0). Noise and moving markers disturb in few frames.
  gpu::LayerMask mask(double share, int grow) const;

 private:
  uint32_t thresholdOf(const std::vector<uint32_t>& histogram) const;

  gpu::ImageFormat format_;
  Threshold threshold_;
  double sigma_;
  bool dark_;
  uint64_t frames_ = 0;
  std::vector<uint32_t> values_;  // of the present frame, raster order
  std::vector<uint32_t> counts_;  // frames in which a pixel disturbed
};

}  // namespace glint::capture
