#include "app/export/picture.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "config/error.h"

namespace glint {
namespace {

constexpr int kShift = 4;  // OpenCV draws at sixteenths of a pixel

cv::Point fixedPoint(double x, double y) {
  return {static_cast<int>(std::lround(x * (1 << kShift))),
          static_cast<int>(std::lround(y * (1 << kShift)))};
}

/// Colours that differ from one id to the next: hues a golden angle apart.
cv::Scalar colorOf(uint64_t track) {
  const cv::Mat hue(1, 1, CV_8UC3, cv::Scalar(static_cast<double>(track * 111 % 180), 170, 255));
  cv::Mat color;
  cv::cvtColor(hue, color, cv::COLOR_HSV2BGR);
  const auto c = color.at<cv::Vec3b>(0, 0);
  return {double(c[0]), double(c[1]), double(c[2])};
}

/// A copy of the pixels as 8-bit colour.
cv::Mat toColor(const ImageView& view) {
  const int depth = view.format.bits == 8 ? CV_8U : CV_16U;
  const cv::Mat pixels(static_cast<int>(view.format.height), static_cast<int>(view.format.width),
                       CV_MAKETYPE(depth, static_cast<int>(view.format.channels)), view.data,
                       view.rowPitch);
  cv::Mat eight, color;
  if (depth == CV_16U) {
    double least = 0, most = 0;  // 16-bit images often use a small part of their range
    cv::minMaxLoc(pixels.reshape(1), &least, &most);
    const double scale = 255 / std::max(most - least, 1.0);
    pixels.convertTo(eight, CV_8U, scale, -least * scale);
  } else {
    eight = pixels;
  }
  if (view.format.channels == 1)
    cv::cvtColor(eight, color, cv::COLOR_GRAY2BGR);
  else
    color = eight.clone();
  return color;
}

class Picture : public Exporter {
 public:
  Picture(const std::string& path, std::optional<uint64_t> frame) : path_(path), frame_(frame) {
    if (!cv::haveImageWriter(path)) {
      throw UsageError(fmt::format("'{}' is no name for a picture; use .png or .jpg", path));
    }
  }

  bool wantsPixels() const override { return true; }

  void write(const SessionFrame& frame) override {
    if (done_ || !frame.pixels) return;
    last_ = frame;
    trails_.resize(frame.cameras.size());
    for (size_t i = 0; i < frame.cameras.size(); ++i) follow(trails_[i], frame.cameras[i].live);
    if (frame_ && frame.pixels->index >= *frame_) draw();
  }

  void finish() override {
    if (done_ || !last_.pixels) return;
    const uint64_t frames = last_.pixels->index + 1;
    draw();
    if (!frame_) return;
    throw Error(
        fmt::format("there is no frame {} for the picture '{}', only {}; it shows the last one",
                    *frame_, path_, frames));
  }

 private:
  struct Trail {
    std::deque<TrackRow> rows;
    uint64_t last = 0;
  };
  using Trails = std::map<uint64_t, Trail>;

  void follow(Trails& trails, const std::vector<TrackRow>& live) {
    ++count_;
    for (const TrackRow& row : live) {
      Trail& trail = trails[row.track];
      trail.rows.push_back(row);
      trail.last = count_;
      if (trail.rows.size() > kTrailFrames) trail.rows.pop_front();
    }
    std::erase_if(trails, [&](const auto& entry) { return entry.second.last != count_; });
  }

  void drawTrack(cv::Mat& image, const Trail& trail, double scale) const {
    const TrackRow& now = trail.rows.back();
    const cv::Scalar color = colorOf(now.track);
    const int line = std::max(1, static_cast<int>(std::lround(scale)));
    for (size_t i = 1; i < trail.rows.size(); ++i) {
      const double fade =
          0.25 + 0.75 * static_cast<double>(i) / static_cast<double>(trail.rows.size());
      cv::line(image, fixedPoint(trail.rows[i - 1].x, trail.rows[i - 1].y),
               fixedPoint(trail.rows[i].x, trail.rows[i].y), color * fade, line, cv::LINE_AA,
               kShift);
    }
    const bool measured = now.state == TrackState::measured;
    const double radius = std::max(now.seen.radius + 3, 5.0) * (1 << kShift);
    cv::circle(image, fixedPoint(now.x, now.y), static_cast<int>(radius),
               measured ? color : color * 0.5, line, cv::LINE_AA, kShift);
    const cv::Point at(static_cast<int>(now.x + now.seen.radius + 5), static_cast<int>(now.y - 4));
    const std::string id = std::to_string(now.track);
    const double size = 0.4 * scale;
    cv::putText(image, id, at, cv::FONT_HERSHEY_SIMPLEX, size, {0, 0, 0}, 3 * line, cv::LINE_AA);
    cv::putText(image, id, at, cv::FONT_HERSHEY_SIMPLEX, size, color, line, cv::LINE_AA);
  }

  cv::Mat drawCamera(uint32_t camera) const {
    cv::Mat image = toColor(last_.pixels->layer(camera));
    const double scale = std::max(1.0, image.cols / 1280.0);
    for (const auto& [id, trail] : trails_[camera]) drawTrack(image, trail, scale);
    const auto& stamp = last_.cameras[camera].measured.stamp;
    const std::string text =
        stamp ? fmt::format("camera {}  frame {}  {:.3f} s  {} markers  {} tracks", camera,
                            stamp->sequence, stamp->time,
                            last_.cameras[camera].measured.markers.size(), trails_[camera].size())
              : fmt::format("camera {} has ended", camera);
    const cv::Point at(10, static_cast<int>(20 * scale));
    cv::putText(image, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.5 * scale, {0, 0, 0}, 4, cv::LINE_AA);
    cv::putText(image, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.5 * scale, {230, 230, 230}, 1,
                cv::LINE_AA);
    return image;
  }

  /// Cameras side by side, in a grid as square as can be.
  void draw() {
    const auto cameras = static_cast<uint32_t>(last_.cameras.size());
    const auto columns = static_cast<uint32_t>(std::ceil(std::sqrt(cameras)));
    const uint32_t rows = (cameras + columns - 1) / columns;
    const auto& format = last_.pixels->format.image;
    const int width = static_cast<int>(format.width), height = static_cast<int>(format.height);
    cv::Mat sheet(height * static_cast<int>(rows), width * static_cast<int>(columns), CV_8UC3,
                  cv::Scalar(0, 0, 0));
    for (uint32_t i = 0; i < cameras; ++i) {
      const cv::Rect place(width * static_cast<int>(i % columns),
                           height * static_cast<int>(i / columns), width, height);
      drawCamera(i).copyTo(sheet(place));
    }
    done_ = true;
    last_ = {};
    bool written = false;
    try {
      written = cv::imwrite(path_, sheet);
    } catch (const cv::Exception&) {
      written = false;
    }
    if (!written) throw Error(fmt::format("cannot write the picture '{}'", path_));
  }

  std::string path_;
  std::optional<uint64_t> frame_;
  SessionFrame last_;
  std::vector<Trails> trails_;
  uint64_t count_ = 0;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Exporter> makePicture(const std::string& path, std::optional<uint64_t> frame) {
  return std::make_unique<Picture>(path, frame);
}

}  // namespace glint
