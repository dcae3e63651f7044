// What people use instead of Glint, measured on the same image in the same process.
#pragma once

#include <vector>

#include "bench/measure.h"

namespace glint::bench {

/// OpenCV's ways to a list of markers, on a grey image of 8 bits and with Glint's threshold:
/// connected components, contours with moments, SimpleBlobDetector (where OpenCV's features2d was
/// there when Glint was built) and goodFeaturesToTrack; and its minimum, maximum, mean and standard
/// deviation. Uses as many threads as cv::setNumThreads says.
std::vector<Peer> measurePeers(const PeerTask& task);

}  // namespace glint::bench
