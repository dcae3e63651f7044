#include "app/session/session.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "app/capture/reader.h"
#include "app/export/queue.h"
#include "app/mask/mask.h"
#include "app/track/tracker.h"
#include "config/error.h"
#include "gpu/detector.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;

// Frames decoded ahead while one is on the device, and those that exporters may still hold.
constexpr uint32_t kRingSlots = 6;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

Observation toObservation(const shared::Detection& d) {
  return {d.x,    d.y,      d.sigmaX,       d.sigmaY, static_cast<double>(d.peak),
          d.mass, d.radius, d.eccentricity, d.flags};
}

std::string describeFormat(const ImageFormat& f) {
  return fmt::format("{}x{} {}-bit {}", f.width, f.height, f.bits,
                     f.channels == 1 ? "grey" : "colour");
}

/// The trackers of all cameras, and what they expect of the next frame.
class Trackers {
 public:
  Trackers(const Settings::Track& settings, size_t cameras) : ids_(std::make_shared<TrackIds>()) {
    for (size_t i = 0; i < cameras; ++i) trackers_.emplace_back(settings, ids_);
    expectations_.resize(cameras);
  }

  /// `frameZero`: its own statistics, for want of a frame before it.
  void startFrom(const std::vector<ResponseStatistics>& frameZero) {
    for (size_t i = 0; i < frameZero.size(); ++i) {
      expectations_[i].response = frameZero[i].values;
      expectations_[i].pixels = frameZero[i].pixels;
    }
  }

  std::vector<CameraFrame> update(FrameResult result) {
    std::vector<CameraFrame> cameras;
    for (size_t i = 0; i < trackers_.size(); ++i) {
      CameraFrame& camera = cameras.emplace_back();
      camera.measured = std::move(result.layers[i]);
      if (!camera.measured.stamp) {
        trackers_[i].finish();  // this camera has ended; the others go on
        expectations_[i].predictions.clear();
      } else {
        follow(i, camera);
      }
      camera.settled = trackers_[i].takeSettled();
    }
    return cameras;
  }

  std::vector<CameraFrame> finish() {
    std::vector<CameraFrame> cameras(trackers_.size());
    for (size_t i = 0; i < trackers_.size(); ++i) {
      trackers_[i].finish();
      cameras[i].settled = trackers_[i].takeSettled();
    }
    return cameras;
  }

  const std::vector<LayerExpectation>& expectations() const { return expectations_; }
  void count(SessionCounts& counts) const {
    counts.tracks = ids_->given();
    counts.stitches = 0;
    for (const Tracker& tracker : trackers_) counts.stitches += tracker.stitches();
  }

 private:
  void follow(size_t i, CameraFrame& camera) {
    std::vector<Observation> seen;
    for (const auto& d : camera.measured.markers) seen.push_back(toObservation(d));
    trackers_[i].update(camera.measured.stamp->sequence, camera.measured.stamp->time, seen);
    camera.live = trackers_[i].live();
    expectations_[i].response = camera.measured.response;
    expectations_[i].pixels = camera.measured.pixels;
    expectations_[i].predictions.clear();
    for (const Prediction& p : trackers_[i].predictions()) {
      expectations_[i].predictions.push_back({static_cast<float>(p.x), static_cast<float>(p.y),
                                              static_cast<float>(p.radius),
                                              static_cast<uint32_t>(p.track)});
    }
  }

  std::shared_ptr<TrackIds> ids_;
  std::vector<Tracker> trackers_;
  std::vector<LayerExpectation> expectations_;
};

Masks masksOf(const Settings& settings, const FrameFormat& format) {
  auto masks = loadMasks(settings.detect.mask, format);
  if (masks.empty()) return nullptr;
  return std::make_shared<const std::vector<LayerMask>>(std::move(masks));
}

/// The wish, once all that it needs is there: what is refused is refused here.
FrameWish fulfilled(Detector& detector, FrameWish wish) {
  detector.prepareNow(wish);
  return wish;
}

/// The state of one run.
class Run {
 public:
  Run(const Device& device, const FrameFormat& format, const OpenExporters& openExporters,
      const SessionOptions& options)
      : options_(options),
        format_(format),
        detector_(device, format, {}),
        wish_(fulfilled(detector_, {.settings = options.settings,
                                    .masks = masksOf(options.settings, format),
                                    .rejected = options.rejected})),
        trackers_(options.settings.track, format.layers),
        queue_(openExporters()) {  // last: what is refused is refused above
    report_.counts.framesOfCamera.resize(format.layers);
  }

  /// Frame n goes to the device once the result of frame n-1 is known: its feedback. Its own result
  /// is handed on without waiting for frame n+1. False when an exporter has failed.
  bool take(FrameLease frame) {
    const auto start = Clock::now();
    if (frame->index == 0) {
      trackers_.startFrom(detector_.measure(frame, wish_));
    }
    detector_.submit(std::move(frame), wish_,
                     makeFeedback(options_.settings, format_.image, trackers_.expectations()));
    const bool kept = collect();
    report_.wallTimes["frame"].add(microsecondsSince(start));
    return kept;
  }

  /// Collects the frame in flight and hands it on.
  bool collect() {
    const auto start = Clock::now();
    auto result = detector_.collect();
    report_.wallTimes["wait"].add(microsecondsSince(start));
    addDeviceTimes(result->times);
    SessionFrame frame;
    frame.droppedBefore = result->frame->droppedBefore;
    if (queue_.wantsPixels()) frame.pixels = result->frame;
    const auto trackStart = Clock::now();
    frame.cameras = trackers_.update(std::move(*result));
    report_.wallTimes["track"].add(microsecondsSince(trackStart));
    if (options_.live) options_.live(frame);
    count(frame);
    return queue_.push(std::move(frame));
  }

  /// Settles what is open and waits for the exporters. Throws what one of them threw.
  void finish() {
    SessionFrame last;
    last.cameras = trackers_.finish();
    queue_.push(std::move(last));
    trackers_.count(report_.counts);
    queue_.finish();
  }

  SessionReport& report() { return report_; }

 private:
  void addDeviceTimes(const std::vector<PassTime>& times) {
    std::map<std::string, double> sums;
    for (const PassTime& pass : times) {
      sums[pass.name] += pass.microseconds;
      sums["all"] += pass.microseconds;
    }
    for (const auto& [name, sum] : sums) report_.deviceTimes[name].add(sum);
  }

  void count(const SessionFrame& frame) {
    SessionCounts& c = report_.counts;
    ++c.frames;
    c.lastMarkers = c.liveTracks = 0;
    for (size_t i = 0; i < frame.cameras.size(); ++i) {
      if (!frame.cameras[i].measured.stamp) continue;
      ++c.framesOfCamera[i];
      const auto most = static_cast<size_t>(options_.settings.detect.maxMarkers);
      if (frame.cameras[i].measured.markers.size() == most) ++c.fullFrames;
      if (frame.cameras[i].measured.partial) ++c.partialFrames;
      if (frame.cameras[i].measured.response.most < frame.cameras[i].measured.threshold)
        ++c.dimFrames;
      c.lastMarkers += frame.cameras[i].measured.markers.size();
      c.liveTracks += frame.cameras[i].live.size();
      for (const Rejected& r : frame.cameras[i].measured.rejected) ++c.rejected[r.reason];
    }
    c.markers += c.lastMarkers;
    trackers_.count(c);
    if (options_.progress) options_.progress(c);
  }

  const SessionOptions& options_;
  FrameFormat format_;
  Detector detector_;
  FrameWish wish_;
  Trackers trackers_;
  SessionReport report_;
  ExportQueue queue_;
};

}  // namespace

FrameFormat sessionFormat(const std::vector<std::unique_ptr<Source>>& sources) {
  const ImageFormat& first = sources.at(0)->format();
  for (const auto& source : sources) {
    if (source->format() == first) continue;
    throw UsageError(fmt::format("the cameras of a session must agree: '{}' is {}, '{}' is {}",
                                 sources[0]->name(), describeFormat(first), source->name(),
                                 describeFormat(source->format())));
  }
  return {first, static_cast<uint32_t>(sources.size())};
}

SessionReport runSession(const Device& device, std::vector<std::unique_ptr<Source>> sources,
                         const OpenExporters& openExporters, const SessionOptions& options,
                         const std::atomic<bool>& stop) {
  const FrameFormat format = sessionFormat(sources);
  checkLimits(options.settings);
  FrameRing ring(device, format, kRingSlots, FrameRing::WhenFull::wait);
  Run run(device, format, openExporters, options);
  const auto start = Clock::now();
  Reader reader(std::move(sources), ring, {options.maxFrames, options.realtime}, stop);

  SessionReport& report = run.report();
  std::string deviceFailure;
  try {
    bool kept = true;
    while (kept) {
      FrameLease frame = ring.read();
      if (!frame) break;
      kept = run.take(std::move(frame));
    }
  } catch (const std::exception& error) {  // a lost device: what was collected is still exported
    deviceFailure = fmt::format("the device '{}' failed: {}", device.info().name, error.what());
  }
  ring.close();
  report.failure = reader.finish();
  if (!deviceFailure.empty()) report.failure = deviceFailure;
  report.wallTimes["capture"] = reader.times();
  report.counts.dropped = ring.dropped();
  report.interrupted = stop;
  try {
    run.finish();
  } catch (const std::exception& error) {
    if (report.failure.empty()) report.failure = error.what();
  }
  report.seconds = microsecondsSince(start) / 1e6;
  return std::move(report);
}

}  // namespace glint
