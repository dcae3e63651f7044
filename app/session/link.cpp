#include "app/session/link.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "app/motion/track/tracker.h"
#include "app/output/catalog/outputs.h"
#include "app/output/imports/detection_import.h"

namespace glint::session {
namespace {

/// The trackers of all cameras, and the sinks that their rows go to.
class Linker {
 public:
  Linker(const output::ImportedDetections& detections, const Settings::Track& settings,
         std::vector<std::unique_ptr<output::Sink>> sinks)
      : detections_(detections), sinks_(std::move(sinks)) {
    for (size_t i = 0; i < detections.cameras.size(); ++i) trackers_.emplace_back(settings, ids_);
  }

  void run() {
    uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;
    for (const auto& frames : detections_.cameras) {
      if (frames.empty()) continue;
      first = std::min(first, frames.begin()->first);
      last = std::max(last, frames.rbegin()->first);
    }
    for (uint64_t number = first; number <= last; ++number) link(number);
    motion::Frame end;
    end.set = SetIndex(last + 1);
    end.cameras.resize(trackers_.size());
    for (motion::Tracker& tracker : trackers_) tracker.finish();
    handOver(std::move(end));
    for (const auto& sink : sinks_) sink->finish();
  }

  uint64_t tracks() const { return ids_->given(); }
  uint64_t rows() const { return rows_; }

 private:
  /// Takes one frame of all cameras. A frame that the table does not have is one without markers.
  void link(uint64_t number) {
    motion::Frame frame;
    frame.set = SetIndex(number);
    frame.cameras.resize(trackers_.size());
    for (size_t i = 0; i < trackers_.size(); ++i) {
      const auto& frames = detections_.cameras[i];
      const auto found = frames.find(number);
      const double time = found != frames.end() ? found->second.time : timeBetween(frames, number);
      gpu::FrameStamp stamp{};
      stamp.sequence = decltype(stamp.sequence)(number);
      stamp.time = time;
      frame.cameras[i].measured.stamp = stamp;
      const motion::FrameTime at{frame.set, FrameNumber(number), time};
      if (found != frames.end())
        trackers_[i].update(at, found->second.seen);
      else
        trackers_[i].update(at, {});
    }
    handOver(std::move(frame));
  }

  /// Returns the time of a frame without a row: on a line between its neighbours.
  double timeBetween(const std::map<uint64_t, output::ImportedMarkers>& frames,
                     uint64_t number) const {
    const auto after = frames.upper_bound(number);
    if (frames.empty()) return static_cast<double>(number) / detections_.rate;
    if (after == frames.begin() || after == frames.end()) {
      const auto& [frame, markers] = after == frames.begin() ? *after : *frames.rbegin();
      return markers.time +
             (static_cast<double>(number) - static_cast<double>(frame)) / detections_.rate;
    }
    const auto before = std::prev(after);
    const double part = static_cast<double>(number - before->first) /
                        static_cast<double>(after->first - before->first);
    return before->second.time + part * (after->second.time - before->second.time);
  }

  void handOver(motion::Frame frame) {
    for (size_t i = 0; i < trackers_.size(); ++i) {
      auto& rows = frame.cameras[i].finalised;
      rows = trackers_[i].takeFinalised();
      rows_ += rows.size();
      for (motion::TrackRow& row : rows) forgetAssumed(row.seen);
    }
    const auto shared = std::make_shared<const motion::Frame>(std::move(frame));
    for (const auto& sink : sinks_) sink->accept(shared);
  }

  /// Columns that the table does not have stay empty in the tracks.
  void forgetAssumed(motion::Observation& seen) const {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    if (!detections_.hasMass) seen.mass = kUnknown;
    if (!detections_.hasRadius) seen.radius = kUnknown;
    if (!detections_.hasEccentricity) seen.eccentricity = kUnknown;
  }

  const output::ImportedDetections& detections_;
  std::vector<std::unique_ptr<output::Sink>> sinks_;
  std::shared_ptr<motion::TrackIds> ids_ = std::make_shared<motion::TrackIds>();
  std::vector<motion::Tracker> trackers_;
  uint64_t rows_ = 0;
};

}  // namespace

LinkResult linkFile(const LinkRequest& request) {
  std::vector<output::OutputSpec> outputs;
  for (const std::string& file : request.outputs)
    outputs.push_back({.kind = "tracks", .target = file});
  std::vector<std::string> read = request.read;
  read.push_back(request.detections);
  output::checkOutputs(outputs, 1, {.read = read});
  const output::ImportedDetections detections =
      output::importDetections(request.detections, request.sigma, request.rate);
  const size_t cameras = detections.cameras.size();
  output::checkOutputs(outputs, cameras, {.read = read});
  output::OutputContext context;
  context.images.resize(cameras);
  Linker linker(detections, request.settings,
                output::makeSinks(outputs, output::Handover::waits, context));
  linker.run();
  return {.markers = detections.markers,
          .tracks = linker.tracks(),
          .rows = linker.rows(),
          .remarks = detections.remarks};
}

}  // namespace glint::session
