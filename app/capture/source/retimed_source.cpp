#include "app/capture/source/retimed_source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/capture/source/forwarding_source.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

class RatedSource final : public ForwardingSource {
 public:
  RatedSource(std::unique_ptr<Source> source, double fps)
      : ForwardingSource(std::move(source)), fps_(fps) {}

  std::optional<double> statedRate() override { return fps_; }
  std::vector<double> frameTimes() override {
    std::vector<double> times(inner().frameTimes().size());
    for (size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i) / fps_;
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
      reading.stamp.time = static_cast<double>(reading.stamp.sequence.value()) / fps_;
    return reading;
  }

 private:
  double fps_;
};

/// Frames of numbered images may begin with any number: times count from the first place.
class ListedSource final : public ForwardingSource {
 public:
  ListedSource(std::unique_ptr<Source> source, std::vector<double> times, std::string from)
      : ForwardingSource(std::move(source)), times_(std::move(times)), from_(std::move(from)) {}

  std::optional<double> statedRate() override {
    const double length = times_.back() - times_.front();
    return length > 0 ? std::optional(static_cast<double>(times_.size() - 1) / length)
                      : std::nullopt;
  }
  std::vector<double> frameTimes() override {
    std::vector<double> times = times_;
    for (double& time : times) time -= times_.front();
    return times;
  }
  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    summary.rate = statedRate();
    summary.rateFrom = from_;
    summary.firstTime = times_.front();
    if (!summary.frames) summary.frames = times_.size();
    std::erase_if(summary.warnings, [](const std::string& warning) {
      return warning.find("?fps=") != std::string::npos;
    });
    const auto frames = inner().frameCount();
    if (frames && *frames != times_.size())
      summary.warnings.push_back(fmt::format("there are {} for {}; ?times= takes another file",
                                             counted(times_.size(), "time"),
                                             counted(*frames, "frame")));
    return summary;
  }
  void seek(FrameNumber place) override {
    inner().seek(place);
    place_ = place.value();
  }
  Reading read(const gpu::ImageView& image) override {
    Reading reading = inner().read(image);
    if (reading.gap) ++place_;
    if (reading.state != gpu::CameraState::frame) return reading;
    if (place_ >= times_.size())
      throw Error("'{}' has more frames than the {} that have times, {}", name(), times_.size(),
                  from_);
    reading.stamp.time = times_[place_++] - times_.front();
    return reading;
  }

 private:
  std::vector<double> times_;
  std::string from_;
  uint64_t place_ = 0;  ///< of the next frame
};

/// Times on another clock than the recording's own one.
class ShiftedSource final : public ForwardingSource {
 public:
  ShiftedSource(std::unique_ptr<Source> source, double offset, double drift)
      : ForwardingSource(std::move(source)), offset_(offset), stretch_(1 + 1e-6 * drift) {}

  std::optional<double> statedRate() override {
    const auto rate = inner().statedRate();
    return rate ? std::optional(*rate / stretch_) : std::nullopt;
  }
  std::vector<double> frameTimes() override {
    std::vector<double> times = inner().frameTimes();
    for (double& time : times) time = shifted(time);
    return times;
  }
  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    if (summary.rate) *summary.rate /= stretch_;
    summary.firstTime.reset();
    summary.offset = offset_;
    summary.remarks.push_back(fmt::format("its clock is corrected by ?offset={:g}&drift={:g}",
                                          offset_, 1e6 * (stretch_ - 1)));
    return summary;
  }
  Reading read(const gpu::ImageView& image) override {
    Reading reading = inner().read(image);
    if (reading.state == gpu::CameraState::frame) reading.stamp.time = shifted(reading.stamp.time);
    return reading;
  }

 private:
  double shifted(double time) const { return stretch_ * time + offset_; }

  double offset_;   ///< s
  double stretch_;  ///< factor of all times
};

}  // namespace

std::unique_ptr<Source> retimeByRate(std::unique_ptr<Source> source, double fps) {
  return std::make_unique<RatedSource>(std::move(source), fps);
}

std::unique_ptr<Source> retimeByList(std::unique_ptr<Source> source, std::vector<double> times,
                                     std::string from) {
  return std::make_unique<ListedSource>(std::move(source), std::move(times), std::move(from));
}

std::unique_ptr<Source> shiftTimes(std::unique_ptr<Source> source, const SourceOptions& options) {
  if (!options.offset && !options.drift) return source;
  return std::make_unique<ShiftedSource>(std::move(source), options.offset.value_or(0),
                                         options.drift.value_or(0));
}

}  // namespace glint::capture
