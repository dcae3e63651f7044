#include "app/export/picture.h"

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "app/export/draw.h"
#include "app/export/image_writer.h"
#include "config/error.h"

namespace glint {
namespace {

class Picture : public Exporter {
 public:
  Picture(const std::string& path, std::optional<uint64_t> frame) : path_(path), frame_(frame) {
    if (!cv::haveImageWriter(path)) {
      throw UsageError(fmt::format("'{}' is no name for a picture; use .png or .jpg", path));
    }
  }

  bool wantsPixels() const override { return true; }

  void write(const SessionFrame& frame) override {
    if (done_ || !frame.hasPixels()) return;
    last_ = frame;
    painter_.follow(frame);
    if (frame_ && frame.index >= *frame_) draw();
  }

  void finish() override {
    if (done_ || !last_.hasPixels()) return;
    const uint64_t frames = last_.index + 1;
    draw();
    if (!frame_) return;
    throw Error(
        fmt::format("there is no frame {} for the picture '{}', only {}; it shows the last one",
                    *frame_, path_, frames));
  }

 private:
  void draw() {
    const cv::Mat& sheet = painter_.draw(last_);
    done_ = true;
    last_ = {};
    writeImage(path_, sheet);
  }

  std::string path_;
  std::optional<uint64_t> frame_;
  SessionFrame last_;
  MarkerPainter painter_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Exporter> makePicture(const std::string& path, std::optional<uint64_t> frame) {
  return std::make_unique<Picture>(path, frame);
}

}  // namespace glint
