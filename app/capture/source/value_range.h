// Values of pictures without a full scale of their own. Internal to app/.
#pragma once

#include <opencv2/core.hpp>

#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Returns the least and the greatest finite value of all channels; 0 to 0 if there is none.
ValueRange rangeOf(const cv::Mat& values);

/// Makes `low` black and `high` the full scale of 8 bits, of values of 8 bits, or of 16 bits, of
/// all others. Values beyond are cut off; what is no number is black.
cv::Mat scaled(const cv::Mat& values, const ValueRange& range);

}  // namespace glint::capture
