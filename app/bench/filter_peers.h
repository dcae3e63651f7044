// What OpenCV has of Glint's filters, measured on the same image in the same process.
#pragma once

#include <optional>

#include "bench/filters.h"

namespace glint {

/// OpenCV's way to what the case computes, on a grey image of 8 bits; nothing where it has none.
/// Uses as many threads as cv::setNumThreads says.
std::optional<bench::FilterPeer> measureFilterPeer(const bench::FilterCase& what,
                                                   const bench::Image& image,
                                                   const bench::Effort& effort);

}  // namespace glint
