// The scores of a sweep as a picture.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/study/sweep/combinations.h"

namespace cv {
class Mat;  // the window takes colours from here and knows no OpenCV
}

namespace glint::study {

/// Returns red, green and blue, each from 0 to 255, for a `share` from 0 (dark blue) over green to
/// 1 (yellow). The colour gets lighter with the share, so it can be read without seeing colours.
std::array<double, 3> heatColour(double share);

/// Draws a table of coloured cells, with 8 bits a channel. The first axis runs to the right, the
/// second one down. If there are more axes, a cell shows the best of their combinations.
///
/// `values` holds one value for each combination, in the order of combine(). A larger value makes a
/// lighter cell, and the value is written into it. A cell without a value (NaN) is grey. A frame
/// marks the cell of combination `best`. `name` says what the values are.
cv::Mat heatMap(const std::vector<SweepAxis>& axes, std::span<const double> values, size_t best,
                const std::string& name);

}  // namespace glint::study
