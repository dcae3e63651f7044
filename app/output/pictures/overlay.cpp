#include "app/output/pictures/overlay.h"

#include "app/output/pictures/draw.h"
#include "app/output/pictures/paced_video.h"

namespace glint::output {
namespace {

class Overlay : public Sink {
 public:
  explicit Overlay(const std::string& path)
      : video_(checked(path), kOptions),
        frames_([this](const DrawnFrame& frame) { draw(frame); }) {}

  bool wantsPixels() const override { return true; }

  void accept(const motion::FramePtr& frame) override { frames_.accept(*frame); }

  void finish() override {
    frames_.finish();
    video_.finish();
  }

 private:
  static const std::string& checked(const std::string& path) {
    checkVideo(path, {2, 2, 3, 8}, kOptions);
    return path;
  }

  void draw(const DrawnFrame& drawn) {
    painter_.follow(*drawn.frame);
    const cv::Mat& sheet = painter_.draw(drawn);
    const gpu::ImageFormat format{static_cast<uint32_t>(sheet.cols),
                                  static_cast<uint32_t>(sheet.rows), 3, 8};
    video_.write({format, reinterpret_cast<std::byte*>(sheet.data), sheet.step},
                 timeOf(*drawn.frame));
  }

  static double timeOf(const motion::Frame& frame) {
    for (const motion::CameraFrame& camera : frame.cameras) {
      if (camera.measured.stamp) return camera.measured.stamp->time;
    }
    return 0;  // never reached, as no frame is handed on after the last camera has ended
  }

  inline static const VideoOptions kOptions{.quality = {}, .fast = true, .nextTime = true};

  MarkerPainter painter_;
  PacedVideo video_;
  FinalFrames frames_;
};

}  // namespace

std::unique_ptr<Sink> makeOverlay(const std::string& path) {
  return std::make_unique<Overlay>(path);
}

}  // namespace glint::output
