#include "app/commands/calibrate_sources.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/stop_signal.h"
#include "app/commands/tell.h"
#include "app/commands/track_summary.h"
#include "app/filter/file_images.h"
#include "app/opening/opening.h"
#include "app/session/session.h"
#include "config/error.h"

namespace glint {
namespace {

/// Keeps what is detected.
class PointSink : public Sink {
 public:
  explicit PointSink(PointTable& table) : table_(table) {}

  void accept(const FramePtr& frame) override {
    for (size_t c = 0; c < frame->cameras.size(); ++c) {
      const LayerMeasurement& measured = frame->cameras[c].measured;
      if (!measured.stamp) continue;
      for (const shared::Detection& marker : measured.markers)
        table_.rows.push_back(
            {c,
             static_cast<long>(measured.stamp->sequence.value()),
             measured.stamp->time,
             {{marker.x, marker.y},
              Eigen::Vector2d(marker.sigmaX, marker.sigmaY).cwiseMax(kLeastSigma)}});
    }
  }

 private:
  PointTable& table_;
};

}  // namespace

SeenPoints pointsOfSources(const std::vector<std::string>& sources, Settings settings) {
  Interrupt& interrupt = interruptOnSignal();
  auto opened = openSources(sources, settings, interrupt);
  SeenPoints seen;
  for (const auto& source : opened)
    seen.sizes.push_back(
        {static_cast<int>(source->format().width), static_cast<int>(source->format().height)});
  const bool live = anyLive(opened);
  if (live) tell("move it through the whole volume; Ctrl-C ends the recording\n");
  const auto device = std::make_shared<const Device>(
      Device::Options{settings.device.name, settings.device.validation});
  seen.table.timed = seen.table.sigmasKnown = true;
  SessionOptions options;
  options.settings = std::move(settings);
  options.images = fileImages();
  options.interrupt = &interrupt;
  options.listeners = {std::make_shared<PointSink>(seen.table)};
  Session session(device, std::move(opened), options);
  ProgressLine progress(false);
  while (!session.wait(ProgressLine::kInterval)) progress.update(session.state()->counts);
  const SessionResult& result = session.finish();
  progress.clear();
  if (!result.failure.empty()) throw Error(result.failure);
  if (result.interrupted && !live)
    throw Error("interrupted before the recordings ended; nothing is calibrated");
  return seen;
}

}  // namespace glint
