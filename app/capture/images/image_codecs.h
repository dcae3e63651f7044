// OpenCV's codecs of images. Their library brings GDAL and seventy others, which take longer to
// load than all of Glint does: it is loaded when it is first needed.
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

namespace glint::capture {

/// cv::imencode: `extension` with its dot. Throws Error where the library is missing.
bool encodeImage(const std::string& extension, const cv::Mat& image, std::vector<uchar>& bytes);

/// cv::imdecode. Throws Error where the library is missing.
cv::Mat decodeImage(const cv::Mat& bytes, int flags);

/// cv::haveImageWriter. Throws Error where the library is missing.
bool writesImages(const std::string& path);

}  // namespace glint::capture
