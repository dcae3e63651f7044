#include "app/capture/source/turned_source.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "app/capture/source/forwarding_source.h"

namespace glint::capture {
namespace {

class TurnedSource final : public ForwardingSource {
 public:
  TurnedSource(std::unique_ptr<Source> source, Orientation orientation)
      : ForwardingSource(std::move(source)),
        orientation_(orientation),
        format_(turned(inner().format(), orientation)),
        stored_(inner().format()) {}

  const gpu::ImageFormat& format() const override { return format_; }
  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    summary.orientation = wordsOf(orientation_);
    if (swapsSides(orientation_)) summary.pixelAspect = 1 / summary.pixelAspect;
    return summary;
  }

  Reading read(const gpu::ImageView& image) override {
    gpu::ImageView stored = stored_.view();
    if (image.grey != nullptr) {
      grey_.resize(stored.format.pixels());
      stored.grey = grey_.data();
      stored.greyPitch = stored.format.width;
    }
    Reading reading = inner().read(stored);
    if (reading.state != gpu::CameraState::frame) return reading;
    if (reading.stamp.neutral)
      turnInto(stored.grey, stored.greyPitch, image.grey, image.greyPitch, CV_8U);
    else
      turnInto(stored.data, stored.rowPitch, image.data, image.rowPitch,
               CV_MAKETYPE(format_.bits == 8 ? CV_8U : CV_16U, static_cast<int>(format_.channels)));
    return reading;
  }

 private:
  void turnInto(std::byte* from, size_t fromPitch, std::byte* to, size_t toPitch, int type) const {
    const gpu::ImageFormat& stored = inner().format();
    const cv::Mat source(static_cast<int>(stored.height), static_cast<int>(stored.width), type,
                         from, fromPitch);
    cv::Mat target(static_cast<int>(format_.height), static_cast<int>(format_.width), type, to,
                   toPitch);
    turn(source, orientation_, target);
  }

  Orientation orientation_;
  gpu::ImageFormat format_;
  FrameBuffer stored_;
  std::vector<std::byte> grey_;
};

}  // namespace

std::unique_ptr<Source> turnSource(std::unique_ptr<Source> source, Orientation orientation) {
  if (orientation == Orientation::upright) return source;
  return std::make_unique<TurnedSource>(std::move(source), orientation);
}

}  // namespace glint::capture
