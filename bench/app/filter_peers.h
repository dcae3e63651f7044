// What OpenCV has of Glint's filters, measured on the same image in the same process.
#pragma once

#include <optional>

#include "bench/filters.h"

namespace glint::bench {

/// OpenCV's way to what the case computes, on a grey image of 8 bits; nothing where it has none.
/// Uses as many threads as cv::setNumThreads says.
std::optional<FilterPeer> measureFilterPeer(const FilterCase& what, const Image& image,
                                            const Effort& effort);

}  // namespace glint::bench
