#include "app/output/pictures/picture.h"

#include <algorithm>

#include "app/capture/images/image_codecs.h"
#include "app/output/pictures/draw.h"
#include "app/output/pictures/image_writer.h"
#include "config/error.h"

namespace glint::output {
namespace {

class Picture : public Sink {
 public:
  Picture(const std::string& path, const PictureChoice& choice)
      : path_(path), choice_(choice), frame_(choice.frame) {
    if (!capture::writesImages(path)) {
      throw UsageError("the picture '{}' needs a name that ends in .png or .jpg", path);
    }
  }

  bool wantsPixels() const override { return true; }

  void accept(const motion::FramePtr& frame) override {
    if (!done_) frames_.accept(*frame);
  }

  void finish() override {
    frames_.finish();
    if (first_ && choice_.frame && *choice_.frame < *first_)
      throw Error(
          "there is no frame {} for the picture '{}', the first one is {}; it shows that one",
          *choice_.frame, path_, *first_);
    if (done_ || !last_.frame) return;
    const SetIndex frames = last_.frame->set + 1;
    draw();
    if (!choice_.frame) return;
    throw Error("there is no frame {} for the picture '{}', only {}; it shows the last one",
                *choice_.frame, path_, frames);
  }

 private:
  void follow(const DrawnFrame& drawn) {
    if (done_) return;
    const SetIndex set = drawn.frame->set;
    if (!first_) first_ = set;
    if (!frame_) frame_ = middleFrom(set);
    last_ = drawn;
    painter_.follow(*drawn.frame);
    if (set >= *frame_) draw();
  }

  /// Returns the middle one of the sets that will come, of which `first` is the first. Returns the
  /// largest number if nobody knows how many will come.
  SetIndex middleFrom(SetIndex first) const {
    if (!choice_.end) return SetIndex::most();
    const uint64_t left = *choice_.end - std::min(*choice_.end, first.value());
    return first + std::min(left, choice_.most.value_or(left)) / 2;
  }

  void draw() {
    const cv::Mat& sheet = painter_.draw(last_);
    done_ = true;
    last_ = {};
    writeImage(path_, sheet);
  }

  std::string path_;
  PictureChoice choice_;
  // Set once the first frame has come.
  std::optional<SetIndex> frame_, first_;
  DrawnFrame last_;
  MarkerPainter painter_;
  FinalFrames frames_{[this](const DrawnFrame& drawn) { follow(drawn); }};
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Sink> makePicture(const std::string& path, const PictureChoice& choice) {
  return std::make_unique<Picture>(path, choice);
}

}  // namespace glint::output
