#include "app/capture/source/ranged_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/capture/source/forwarding_source.h"
#include "app/capture/source/value_range.h"

namespace glint::capture {
namespace {

class RangedSource final : public ForwardingSource {
 public:
  RangedSource(std::unique_ptr<Source> source, ValueRange range)
      : ForwardingSource(std::move(source)), range_(range) {}

  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    if (summary.used) {
      const double full = format().fullScale();
      const auto shown = [&](uint32_t value) {
        const double level = (value - range_.low) / (range_.high - range_.low) * full;
        return static_cast<uint32_t>(std::lround(std::clamp(level, 0.0, full)));
      };
      summary.used = {shown(summary.used->low), shown(summary.used->high)};
    }
    return summary;
  }

  Reading read(const gpu::ImageView& image) override {
    Reading reading = inner().read(image);
    if (reading.state != gpu::CameraState::frame) return reading;
    if (reading.stamp.neutral)
      scale(image.grey, image.greyPitch, CV_8U);
    else
      scale(image.data, image.rowPitch,
            CV_MAKETYPE(format().bits == 8 ? CV_8U : CV_16U, static_cast<int>(format().channels)));
    return reading;
  }

 private:
  void scale(std::byte* data, size_t pitch, int type) const {
    cv::Mat picture(static_cast<int>(format().height), static_cast<int>(format().width), type, data,
                    pitch);
    scaled(picture, range_).copyTo(picture);
  }

  ValueRange range_;
};

}  // namespace

std::unique_ptr<Source> scaleSource(std::unique_ptr<Source> source,
                                    const std::optional<ValueRange>& range) {
  if (!range) return source;
  return std::make_unique<RangedSource>(std::move(source), *range);
}

}  // namespace glint::capture
