#include "app/capture/source/retimed_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/capture/source/forwarding_source.h"

namespace glint::capture {
namespace {

class RetimedSource final : public ForwardingSource {
 public:
  RetimedSource(std::unique_ptr<Source> source, double fps)
      : ForwardingSource(std::move(source)), fps_(fps) {}

  std::optional<double> statedRate() override { return fps_; }
  std::vector<double> frameTimes() override {
    std::vector<double> times(inner().frameTimes().size());
    for (size_t i = 0; i < times.size(); ++i) times[i] = timeOf(i);
    return times;
  }
  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    summary.rate = fps_;
    summary.rateFrom = "as ?fps says";
    summary.firstTime.reset();
    return summary;
  }
  Reading read(const gpu::ImageView& image) override {
    Reading reading = inner().read(image);
    if (reading.state == gpu::CameraState::frame)
      reading.stamp.time = timeOf(reading.stamp.sequence.value());
    return reading;
  }

 private:
  double timeOf(uint64_t frame) const { return static_cast<double>(frame) / fps_; }

  double fps_;
};

}  // namespace

std::unique_ptr<Source> retimeSource(std::unique_ptr<Source> source, const SourceOptions& options) {
  if (!options.fps) return source;
  return std::make_unique<RetimedSource>(std::move(source), *options.fps);
}

}  // namespace glint::capture
