// Draws the scores of a sweep as a picture.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/study/sweep/combinations.h"

namespace cv {
class Mat;  // The window uses heatColour() only, and has no OpenCV.
}

namespace glint::study {

/// Returns red, green and blue, each from 0 to 255, for a `share` from 0 (dark blue) over green to
/// 1 (yellow). The colour gets lighter with the share, so it can be read without seeing colours.
std::array<double, 3> heatColour(double share);

/// Draws a table of coloured cells, with 8 bits per channel. The values of the first axis run to
/// the right, those of the second axis down. If there are more axes, a cell shows the best of its
/// combinations.
///
/// `values`: one value for each combination, in the order of combine(). A cell is lighter for a
/// larger value, and shows the value. A cell without a value (NaN) is grey. `best`: the combination
/// whose cell gets a frame. `name`: the name of the values, for the title.
cv::Mat heatMap(const std::vector<SweepAxis>& axes, std::span<const double> values, size_t best,
                const std::string& name);

}  // namespace glint::study
