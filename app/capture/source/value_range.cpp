#include "app/capture/source/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glint::capture {
namespace {

template <class Value>
void widen(const cv::Mat& values, double& low, double& high) {
  const int count = values.cols * values.channels();
  for (int y = 0; y < values.rows; ++y) {
    const auto* row = values.ptr<Value>(y);
    for (int i = 0; i < count; ++i) {
      const auto value = static_cast<double>(row[i]);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
}

}  // namespace

ValueRange rangeOf(const cv::Mat& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  switch (values.depth()) {
    case CV_8U:
      widen<uchar>(values, low, high);
      break;
    case CV_8S:
      widen<schar>(values, low, high);
      break;
    case CV_16U:
      widen<ushort>(values, low, high);
      break;
    case CV_16S:
      widen<short>(values, low, high);
      break;
    case CV_32S:
      widen<int>(values, low, high);
      break;
    case CV_32F:
      widen<float>(values, low, high);
      break;
    default:
      widen<double>(values, low, high);
      break;
  }
  return low <= high ? ValueRange{low, high} : ValueRange{0, 0};
}

cv::Mat scaled(const cv::Mat& values, const ValueRange& range) {
  const bool small = values.depth() == CV_8U || values.depth() == CV_8S;
  const double full = small ? 255 : 65535;
  // A range of one value: only what is above it is white.
  const double width = range.high > range.low ? range.high - range.low : 1;
  const double factor = full / width;
  cv::Mat result(values.rows, values.cols, CV_MAKETYPE(small ? CV_8U : CV_16U, values.channels()));
  cv::Mat wide;
  for (int y = 0; y < values.rows; ++y) {
    // Works row by row, because a page of doubles may be large. Not by convertTo()'s own scale,
    // which computes in floats.
    values.row(y).convertTo(wide, CV_64F);
    auto* row = wide.ptr<double>(0);
    for (int i = 0; i < values.cols * values.channels(); ++i) {
      const double level = std::round((row[i] - range.low) * factor);
      const double kept = std::isnan(level) ? 0 : std::clamp(level, 0.0, full);
      if (small)
        result.ptr<uchar>(y)[i] = static_cast<uchar>(kept);
      else
        result.ptr<ushort>(y)[i] = static_cast<ushort>(kept);
    }
  }
  return result;
}

}  // namespace glint::capture
