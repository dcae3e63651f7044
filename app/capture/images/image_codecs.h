// Calls OpenCV's codecs of images. Their library depends on GDAL and seventy others, which take
// longer to load than all of Glint; so it is loaded only when it is first needed.
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

namespace glint::capture {

/// Calls cv::imencode(); `extension` includes its dot. Throws Error if the library is missing.
bool encodeImage(const std::string& extension, const cv::Mat& image, std::vector<uchar>& bytes);

/// Calls cv::imdecode(). Throws Error if the library is missing.
cv::Mat decodeImage(const cv::Mat& bytes, int flags);

/// Calls cv::haveImageWriter(). Throws Error if the library is missing.
bool writesImages(const std::string& path);

}  // namespace glint::capture
