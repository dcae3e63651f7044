#include "bench/app/live.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "app/capture/filter/host_filters.h"
#include "app/capture/source/source.h"
#include "app/session/session.h"
#include "bench/app/discard_tracks.h"
#include "bench/image.h"
#include "bench/report.h"
#include "config/error.h"

namespace glint::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr uint32_t kSway = 8;     // px that markers move along a row, and back again
constexpr uint64_t kSettle = 20;  // frames not counted, while kernels are made and rates are found
constexpr int kTurns = 3;         // turns of each program

double now() {
  return Seconds(Clock::now().time_since_epoch()).count();
}

/// A camera that gives the same frames in each run, one every `interval_`. A frame is lost unless
/// read() waits for it when it is due, as with a camera that has one buffer.
class MadeCamera final : public capture::Source {
 public:
  explicit MadeCamera(const LiveCase& what)
      : format_{what.width, what.height, 1, 8},
        interval_(1 / what.rate),
        image_(makeImage({what.width + kSway, what.height, 1, 8}, what.markers)),
        start_(now()) {}

  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }
  bool onHostClock() const override { return true; }

  capture::Reading read(const gpu::ImageView& image) override {
    const auto frame =
        static_cast<uint64_t>(std::max(std::ceil((now() - start_) / interval_), double(next_)));
    const double due = start_ + static_cast<double>(frame) * interval_;
    std::this_thread::sleep_until(
        Clock::time_point(std::chrono::duration_cast<Clock::duration>(Seconds(due))));
    const auto phase = static_cast<uint32_t>(frame % (2 * kSway));
    const uint32_t offset = phase < kSway ? phase : 2 * kSway - phase;
    for (uint32_t y = 0; y < format_.height; ++y)
      std::memcpy(image.row(y), image_.row(y) + offset, format_.width);
    const uint64_t dropped = sequence_ == 0 ? 0 : frame - next_;
    next_ = frame + 1;
    return {gpu::CameraState::frame,
            {.sequence = FrameNumber(sequence_++),
             .time = due,
             .captured = due,
             .droppedBefore = dropped}};
  }

 private:
  std::string name_ = "made camera";
  gpu::ImageFormat format_;
  double interval_;  // s
  Image image_;
  double start_;  // s: time at which frame 0 is due
  uint64_t next_ = 0, sequence_ = 0;
};

/// The measurements of one program.
struct Ages {
  std::vector<double> all;  // us: age of each frame's result
  uint64_t dropped = 0, found = 0;
};

uint32_t runGlint(const std::shared_ptr<const gpu::Device>& device, const LiveCase& what,
                  uint64_t frames, const Settings& settings, Ages& ages) {
  std::vector<std::unique_ptr<capture::Source>> sources;
  sources.push_back(std::make_unique<MadeCamera>(what));
  session::SessionOptions options{.settings = settings, .open = discardTracks};
  uint64_t seen = 0;
  uint32_t threshold = 0;
  options.enough = [&](const motion::Frame& frame) {
    const gpu::LayerMeasurement& measured = frame.cameras[0].measured;
    if (measured.stamp && ++seen > kSettle) {
      ages.all.push_back(1e6 * (frame.tracked - measured.stamp->captured));
      ages.dropped += measured.stamp->droppedBefore;
    }
    ages.found = measured.markers.size();
    threshold = measured.threshold;
    return seen >= kSettle + frames;
  };
  session::Session running(device, std::move(sources), std::move(options));
  const session::SessionResult& session = running.finish();
  if (!session.failure.empty()) throw Error(session.failure);
  return threshold;
}

void runOpenCv(const LiveCase& what, uint64_t frames, uint32_t threshold, Ages& ages) {
  MadeCamera camera(what);
  cv::Mat grey(static_cast<int>(what.height), static_cast<int>(what.width), CV_8UC1), binary;
  std::vector<std::vector<cv::Point>> outlines;
  std::string rows;
  for (uint64_t seen = 0; seen < kSettle + frames; ++seen) {
    const capture::Reading reading =
        camera.read({camera.format(), reinterpret_cast<std::byte*>(grey.data), grey.step});
    cv::threshold(grey, binary, threshold - 1.0, 255, cv::THRESH_BINARY);
    cv::findContours(binary, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    rows.clear();
    ages.found = 0;
    for (const auto& outline : outlines) {
      const cv::Moments m = cv::moments(outline);
      if (m.m00 <= 0) continue;
      rows += fmt::format("{},{:.4f},{:.4f}\n", seen, m.m10 / m.m00, m.m01 / m.m00);
      ++ages.found;
    }
    if (seen < kSettle) continue;
    ages.all.push_back(1e6 * (now() - reading.stamp.captured));
    ages.dropped += reading.stamp.droppedBefore;
  }
}

LiveResult measureOne(const std::shared_ptr<const gpu::Device>& device, const LiveCase& what,
                      const Settings& settings) {
  Ages glint, opencv;
  const uint64_t frames = (what.frames + kTurns - 1) / kTurns;
  for (int turn = 0; turn < kTurns; ++turn)
    runOpenCv(what, frames, runGlint(device, what, frames, settings, glint), opencv);
  LiveResult result{.what = what,
                    .glint = summarise(std::move(glint.all)),
                    .opencv = summarise(std::move(opencv.all))};
  result.glintDropped = glint.dropped;
  result.opencvDropped = opencv.dropped;
  result.glintFound = glint.found;
  result.opencvFound = opencv.found;
  return result;
}

}  // namespace

LiveResults measureLive(const std::vector<LiveCase>& cases, const Settings& settings) {
  const auto device = std::make_shared<const gpu::Device>(capture::deviceOptions(settings.device));
  LiveResults results{.device = device->info(), .cases = {}};
  for (const LiveCase& what : cases) results.cases.push_back(measureOne(device, what, settings));
  return results;
}

std::string toTable(const LiveResults& results) {
  constexpr Unit kMilliseconds{1000, 2};
  Table table({-32, 20, 20, 6, 0});
  table.add({"made camera", "Glint", "OpenCV", "ratio", " found, dropped"});
  for (const LiveResult& r : results.cases) {
    table.add({fmt::format("{}x{} at {:g} a second, {} marker{}", r.what.width, r.what.height,
                           r.what.rate, r.what.markers, r.what.markers == 1 ? "" : "s"),
               spread(r.glint, kMilliseconds), spread(r.opencv, kMilliseconds),
               formatted("%.2f", r.ratio()),
               fmt::format(" {}, {}; {}, {}", r.glintFound, r.glintDropped, r.opencvFound,
                           r.opencvDropped)});
  }
  return results.device.name +
         ": from a frame to its markers, ms, median (10th-90th percentile)\n" + table.text();
}

std::string toJson(const LiveResults& results) {
  Json cases = Json::array();
  for (const LiveResult& r : results.cases) {
    cases.push_back(
        {{"width", r.what.width},
         {"height", r.what.height},
         {"markers", r.what.markers},
         {"rate", r.what.rate},
         {"glint",
          {{"age_us", toJson(r.glint)}, {"found", r.glintFound}, {"dropped", r.glintDropped}}},
         {"opencv",
          {{"age_us", toJson(r.opencv)}, {"found", r.opencvFound}, {"dropped", r.opencvDropped}}},
         {"ratio", r.ratio()}});
  }
  return toText({{"device", toJson(results.device)}, {"cases", cases}});
}

}  // namespace glint::bench
