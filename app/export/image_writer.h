// A picture into a file.
#pragma once

#include <string>

namespace cv {
class Mat;
}

namespace glint {

/// Writes `image` to `path`, whose suffix says how it is encoded, all or nothing: OpenCV's own
/// writers do not look whether what they write arrives. Throws Error naming the file.
void writeImage(const std::string& path, const cv::Mat& image);

}  // namespace glint
