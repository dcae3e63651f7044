#include "app/sinks/picture.h"

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "app/sinks/draw.h"
#include "app/sinks/image_writer.h"
#include "config/error.h"

namespace glint {
namespace {

class Picture : public Sink {
 public:
  Picture(const std::string& path, std::optional<SetIndex> frame) : path_(path), frame_(frame) {
    if (!cv::haveImageWriter(path)) {
      throw UsageError(
          fmt::format("the picture '{}' needs a name that ends in .png or .jpg", path));
    }
  }

  bool wantsPixels() const override { return true; }

  void accept(const FramePtr& frame) override {
    if (done_ || !frame->hasPixels()) return;
    last_ = frame;
    painter_.follow(*frame);
    if (frame_ && frame->set >= *frame_) draw();
  }

  void finish() override {
    if (done_ || !last_) return;
    const SetIndex frames = last_->set + 1;
    draw();
    if (!frame_) return;
    throw Error(
        fmt::format("there is no frame {} for the picture '{}', only {}; it shows the last one",
                    *frame_, path_, frames));
  }

 private:
  void draw() {
    const cv::Mat& sheet = painter_.draw(*last_);
    done_ = true;
    last_ = nullptr;
    writeImage(path_, sheet);
  }

  std::string path_;
  std::optional<SetIndex> frame_;
  FramePtr last_;
  MarkerPainter painter_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Sink> makePicture(const std::string& path, std::optional<SetIndex> frame) {
  return std::make_unique<Picture>(path, frame);
}

}  // namespace glint
