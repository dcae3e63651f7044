#include "app/output/pictures/final_frames.h"

#include <algorithm>
#include <utility>

#include "app/output/pictures/image_writer.h"

namespace glint::output {
namespace {

size_t bytesOf(const DrawnFrame& frame) {
  size_t sum = 0;
  for (const cv::Mat& image : frame.images) sum += image.total() * image.elemSize();
  return sum;
}

}  // namespace

void FinalFrames::accept(const motion::Frame& frame) {
  if (frame.hasPixels()) keep(frame);
  takeRows(frame);
  if (!frame.measured()) return;
  final_.see(frame, frame.settings->track);
  while (!held_.empty() && (held_.front().frame->set < final_.end() || bytes_ > mostBytes_))
    drawFirst();
}

void FinalFrames::finish() {
  while (!held_.empty()) drawFirst();
}

void FinalFrames::keep(const motion::Frame& frame) {
  DrawnFrame kept{std::make_shared<motion::Frame>(frame), {}};
  for (motion::CameraFrame& camera : kept.frame->cameras) {
    kept.images.push_back(camera.pixels ? matOf(camera.image()).clone() : cv::Mat());
    camera.pixels = nullptr;
    camera.tracks.clear();
    camera.finalised.clear();
  }
  bytes_ += bytesOf(kept);
  held_.push_back(std::move(kept));
}

/// Gives the rows that have become final to the frames that they belong to.
void FinalFrames::takeRows(const motion::Frame& frame) {
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    for (const motion::TrackRow& row : frame.cameras[i].finalised) {
      const auto to = std::ranges::lower_bound(
          held_, row.set, {}, [](const DrawnFrame& held) { return held.frame->set; });
      if (to == held_.end() || to->frame->set != row.set) continue;
      to->frame->cameras[i].tracks.push_back(row);
    }
  }
}

void FinalFrames::drawFirst() {
  const DrawnFrame first = std::move(held_.front());
  held_.pop_front();
  bytes_ -= bytesOf(first);
  for (motion::CameraFrame& camera : first.frame->cameras)
    std::ranges::sort(camera.tracks, {}, &motion::TrackRow::track);
  try {
    draw_(first);
  } catch (...) {
    held_.clear();  // the file cannot take the others either
    throw;
  }
}

}  // namespace glint::output
