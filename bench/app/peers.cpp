#include "bench/app/peers.h"

#include <opencv2/imgproc.hpp>

#ifdef GLINT_BLOB_DETECTOR
#include <opencv2/features2d.hpp>
#endif

namespace glint::bench {
namespace {

constexpr double kSeparation = 8;  // px, less than the distance of any two markers in the image

/// Sets `binary` to 255 where `grey` is at or above Glint's threshold, elsewhere to 0.
void binarise(const cv::Mat& grey, uint32_t threshold, cv::Mat& binary) {
  cv::threshold(grey, binary, threshold - 1.0, 255, cv::THRESH_BINARY);
}

uint64_t extremes(const cv::Mat& grey) {
  double least = 0, most = 0;
  cv::Point leastAt, mostAt;
  cv::minMaxLoc(grey, &least, &most, &leastAt, &mostAt);
  cv::Scalar mean, deviation;
  cv::meanStdDev(grey, mean, deviation);
  return 1;
}

uint64_t components(const cv::Mat& grey, uint32_t threshold) {
  cv::Mat binary, labels, statistics, centroids;
  binarise(grey, threshold, binary);
  // Label 0 is the background.
  return static_cast<uint64_t>(
      cv::connectedComponentsWithStats(binary, labels, statistics, centroids, 8, CV_32S) - 1);
}

uint64_t contours(const cv::Mat& grey, uint32_t threshold) {
  cv::Mat binary;
  std::vector<std::vector<cv::Point>> outlines;
  binarise(grey, threshold, binary);
  cv::findContours(binary, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  uint64_t found = 0;
  for (const auto& outline : outlines) found += cv::moments(outline).m00 > 0;
  return found;
}

uint64_t corners(const cv::Mat& grey, uint32_t markers) {
  constexpr double kQuality = 0.1;  // least quality, in units of the strongest corner's
  std::vector<cv::Point2f> points;
  cv::goodFeaturesToTrack(grey, points, static_cast<int>(markers), kQuality, kSeparation);
  return points.size();
}

#ifdef GLINT_BLOB_DETECTOR
uint64_t simpleBlobs(const cv::Mat& grey, uint32_t threshold) {
  cv::SimpleBlobDetector::Params params;
  params.blobColor = 255;
  params.minThreshold = static_cast<float>(threshold);
  params.maxThreshold = 255;
  params.minDistBetweenBlobs = static_cast<float>(kSeparation);
  params.minArea = 3;
  params.filterByConvexity = false;
  params.filterByInertia = false;
  std::vector<cv::KeyPoint> points;
  cv::SimpleBlobDetector::create(params)->detect(grey, points);
  return points.size();
}
#endif

template <class Work>
Peer measure(const char* name, const Effort& effort, const Work& work) {
  Peer peer{.name = name, .wall = {}};
  std::vector<double> times;
  repeat(effort, [&](bool count) {
    const double time = wallTime([&] { peer.found = work(); });
    if (count) times.push_back(time);
  });
  peer.wall = summarise(std::move(times));
  return peer;
}

}  // namespace

std::vector<Peer> measurePeers(const PeerTask& task) {
  const auto& format = task.image.format;
  // OpenCV has no view of constant pixels; nothing below writes them.
  const cv::Mat grey(static_cast<int>(format.height), static_cast<int>(format.width), CV_8UC1,
                     const_cast<std::byte*>(task.image.pixels.data()));
  const auto& effort = task.effort;
  std::vector<Peer> peers;
  peers.push_back(measure("minMaxLoc + meanStdDev", effort, [&] { return extremes(grey); }));
  peers.back().statistics = true;
  peers.push_back(measure("threshold + connectedComponentsWithStats", effort,
                          [&] { return components(grey, task.threshold); }));
  peers.push_back(measure("threshold + findContours + moments", effort,
                          [&] { return contours(grey, task.threshold); }));
#ifdef GLINT_BLOB_DETECTOR
  peers.push_back(
      measure("SimpleBlobDetector", effort, [&] { return simpleBlobs(grey, task.threshold); }));
#endif
  peers.push_back(
      measure("goodFeaturesToTrack", effort, [&] { return corners(grey, task.markers); }));
  return peers;
}

}  // namespace glint::bench
