// The scores of a sweep as a picture.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/study/sweep/combinations.h"

namespace glint::study {

/// Red, green and blue, 0 to 255: dark blue over green to yellow; `share` from 0 to 1. Light and
/// dark tell it without colours.
std::array<double, 3> heatColour(double share);

/// 8-bit colour. The first axis runs right, the second one down; of further axes a cell shows the
/// best. Cells are as light as `values`, one a combination in the order of combine(), are large,
/// and tell them; NaN is grey. A frame marks the cell of combination `best`. `name`: of the values.
cv::Mat heatMap(const std::vector<SweepAxis>& axes, std::span<const double> values, size_t best,
                const std::string& name);

}  // namespace glint::study
