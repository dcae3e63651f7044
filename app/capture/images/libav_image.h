// Images that libav decodes. Internal to app/.
#pragma once

#include <string>

#include <opencv2/core.hpp>

namespace glint::capture {

class Interrupt;

/// Decodes the first frame of an image file: WebP, OpenEXR, JPEG 2000 or DNG. Grey becomes one
/// channel, all else BGR, of 8 or 16 bits, or floats where the file holds floats. Throws Error that
/// names the file; Interrupted.
cv::Mat decodeByLibav(const std::string& path, const Interrupt* interrupt);

}  // namespace glint::capture
