// What people use instead of Glint, measured on the same image in the same process.
#pragma once

#include <optional>
#include <vector>

#include "bench/filters.h"
#include "bench/measure.h"

namespace glint::bench {

/// OpenCV's ways to a list of markers, on a grey image of 8 bits and with Glint's threshold:
/// connected components, contours with moments, SimpleBlobDetector (where OpenCV's features2d was
/// there when Glint was built) and goodFeaturesToTrack; and its minimum, maximum, mean and standard
/// deviation. Uses as many threads as cv::setNumThreads says.
std::vector<Peer> measurePeers(const PeerTask& task);

/// OpenCV's way to what a filter case computes, on a grey image of 8 bits; nothing where it has
/// none. Uses as many threads as cv::setNumThreads says.
std::optional<FilterPeer> measureFilterPeer(const FilterCase& what, const Image& image,
                                            const Effort& effort);

}  // namespace glint::bench
