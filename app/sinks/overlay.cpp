#include "app/sinks/overlay.h"

#include <optional>

#include "app/sinks/draw.h"
#include "app/sinks/file_claim.h"
#include "app/sinks/video_writer.h"

namespace glint {
namespace {

constexpr double kUsualRate = 25;  // frames a second, where times do not tell
constexpr double kHighestRate = 1000;

class Overlay : public Sink {
 public:
  explicit Overlay(const std::string& path) : path_(path), claim_(checked(path)) {}

  bool wantsPixels() const override { return true; }

  void accept(const FramePtr& frame) override {
    if (!frame->hasPixels()) return;
    painter_.follow(*frame);
    const cv::Mat& sheet = painter_.draw(*frame);
    const double time = timeOf(*frame);
    if (!video_) {
      if (!first_) {  // the rate is known with the second
        sheet.copyTo(image_);
        first_ = time;
        return;
      }
      open(time > *first_ ? std::min(1 / (time - *first_), kHighestRate) : kUsualRate);
    }
    add(sheet, time);
  }

  void finish() override {
    if (first_ && !video_) open(kUsualRate);
    if (!video_) return;
    video_->finish();
    claim_.confirm();
  }

 private:
  static const std::string& checked(const std::string& path) {
    checkVideo(path, {2, 2, 3, 8}, kOptions);
    return path;
  }

  static double timeOf(const Frame& frame) {
    for (const CameraFrame& camera : frame.cameras) {
      if (camera.measured.stamp) return camera.measured.stamp->time;
    }
    return 0;  // no frame is handed on after the last camera has ended
  }

  void open(double rate) {
    const ImageFormat format{static_cast<uint32_t>(image_.cols), static_cast<uint32_t>(image_.rows),
                             3, 8};
    claim_.keep();
    video_.emplace(path_, format, rate, kOptions);
    add(image_, *first_);
    image_.release();
  }

  void add(const cv::Mat& sheet, double time) {
    const ImageFormat format{static_cast<uint32_t>(sheet.cols), static_cast<uint32_t>(sheet.rows),
                             3, 8};
    video_->write({format, reinterpret_cast<std::byte*>(sheet.data), sheet.step}, time);
  }

  static constexpr VideoOptions kOptions{.quality = {}, .fast = true, .nextTime = true};

  std::string path_;
  FileClaim claim_;
  MarkerPainter painter_;
  cv::Mat image_;                ///< the first frame, until the second comes
  std::optional<double> first_;  ///< s
  std::optional<VideoWriter> video_;
};

}  // namespace

std::unique_ptr<Sink> makeOverlay(const std::string& path) {
  return std::make_unique<Overlay>(path);
}

}  // namespace glint
