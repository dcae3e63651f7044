#include "app/motion/calibrate/board_views.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/base/quantile.h"
#include "app/motion/calibrate/charuco.h"

namespace glint::motion {
namespace {

// Interval between two searched frames, s. Neighbouring views add no information. Raising it
// searches fewer frames.
constexpr double kApart = 0.2;
// Number of images without the board that are kept for each camera, to find out why it was not
// seen. Raising it needs more memory.
constexpr size_t kMostBlank = 4;

}  // namespace

BoardViews::BoardViews(Board board, const std::vector<FrameExtent>& sizes,
                       const std::map<size_t, double>& offsets)
    : board_(std::move(board)), offsets_(offsets) {
  for (const FrameExtent& size : sizes) cameras_.push_back({.size = size});
}

bool BoardViews::due(size_t camera, double time) {
  Camera& c = cameras_[camera];
  const double before = std::exchange(c.last, time);
  if (!std::isfinite(before)) return true;
  if (time > before) c.intervals.push_back(time - before);
  return std::floor(time / kApart) != std::floor(before / kApart);
}

void BoardViews::add(size_t camera, double time, BoardView view, const std::vector<uint8_t>& grey) {
  Camera& c = cameras_[camera];
  if (view.seen()) {
    c.views.emplace(time, std::move(view));
    return;
  }
  // Keeps the first, second, fourth, eighth and so on, which spreads the images over the recording.
  if (!std::has_single_bit(++c.blank)) return;
  if (c.blanks.size() == kMostBlank) c.blanks.erase(c.blanks.begin());
  c.blanks.push_back(std::make_shared<const std::vector<uint8_t>>(grey));
}

std::vector<CameraViews> BoardViews::seen() const {
  std::vector<CameraViews> seen;
  for (const Camera& c : cameras_)
    seen.push_back({c.size, c.intervals.empty() ? 0 : base::medianOf(c.intervals), c.views});
  return seen;
}

BoardRecording BoardViews::recording() const {
  BoardRecording recording = matchViews(seen(), offsets_);
  for (const Camera& c : cameras_) {
    std::vector<cv::Mat> images;
    // cv::Mat takes no const pixels, but OpenCV only reads them here.
    for (const auto& grey : c.blanks)
      images.emplace_back(c.size.height, c.size.width, CV_8U, const_cast<uint8_t*>(grey->data()));
    const bool doubtful = board_.charuco() && c.views.size() < kLeastBoardViews;
    recording.doubts.push_back(doubtful ? charucoDoubt(board_, images) : "");
  }
  return recording;
}

BoardRecording matchViews(const std::vector<CameraViews>& cameras,
                          const std::map<size_t, double>& offsets) {
  BoardRecording recording;
  double reach = std::numeric_limits<double>::infinity();
  for (const CameraViews& c : cameras) {
    recording.sizes.push_back(c.size);
    if (c.interval > 0) reach = std::min(reach, c.interval / 2);
  }
  if (!std::isfinite(reach)) reach = 0;
  std::map<double, std::vector<BoardView>> moments;
  for (size_t c = 0; c < cameras.size(); ++c) {
    const auto offset = offsets.find(c);
    for (const auto& [taken, view] : cameras[c].views) {
      const double time = taken + (offset == offsets.end() ? 0 : offset->second);
      auto best = moments.end();
      for (auto it = moments.lower_bound(time - reach);
           it != moments.end() && it->first <= time + reach; ++it)
        if (!it->second[c].seen() &&
            (best == moments.end() || std::abs(it->first - time) < std::abs(best->first - time)))
          best = it;
      if (best == moments.end())
        best = moments.try_emplace(time, std::vector<BoardView>(cameras.size())).first;
      best->second[c] = view;
    }
  }
  for (auto& [time, views] : moments) recording.moments.push_back({time, std::move(views)});
  return recording;
}

}  // namespace glint::motion
