// Measures what people use instead of Glint, on the same image in the same process.
#pragma once

#include <optional>
#include <vector>

#include "bench/filters.h"
#include "bench/measure.h"

namespace glint::bench {

/// Measures the methods of OpenCV that give a list of markers, on a grey image of 8 bits and with
/// Glint's threshold: connected components, contours with moments, SimpleBlobDetector (if Glint was
/// built with OpenCV's features2d) and goodFeaturesToTrack; and, to be compared with statistics,
/// minimum, maximum, mean and standard deviation. They use as many threads as cv::setNumThreads()
/// allows.
std::vector<Peer> measurePeers(const PeerTask& task);

/// Measures the operation of OpenCV that computes the same as a filter case, on a grey image of 8
/// bits; returns nothing if there is none. It uses as many threads as cv::setNumThreads() allows.
std::optional<FilterPeer> measureFilterPeer(const FilterCase& what, const Image& image,
                                            const Effort& effort);

}  // namespace glint::bench
