// Masks of a session's cameras: image files, 0 = ignore.
#pragma once

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

/// Those of a session whose cameras are of one format, one a camera, or none at all.
std::vector<gpu::LayerMask> loadMasks(const std::string& mask, const gpu::FrameFormat& format);

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

}  // namespace glint::capture
