#include "app/commands/calibrate_sources.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/boards/board_reader.h"
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

void runToEnd(std::vector<std::unique_ptr<Source>> sources, Settings settings,
              std::shared_ptr<Sink> listener, const std::function<std::string()>& told) {
  const bool live = anyLive(sources);
  if (live) tell("move it through the whole volume; Ctrl-C ends the recording\n");
  const auto device = std::make_shared<const Device>(
      Device::Options{settings.device.name, settings.device.validation});
  SessionOptions options;
  options.settings = std::move(settings);
  options.images = fileImages();
  options.interrupt = &interruptOnSignal();
  options.listeners = {std::move(listener)};
  Session session(device, std::move(sources), options);
  ProgressLine progress(false);
  while (!session.wait(ProgressLine::kInterval))
    told ? progress.show(told()) : progress.update(session.state()->counts);
  const SessionResult& result = session.finish();
  progress.clear();
  if (!result.failure.empty()) throw Error(result.failure);
  if (result.interrupted && !live)
    throw Error("interrupted before the recordings ended; nothing is calibrated");
}

SeenPoints pointsOfSources(const std::vector<std::string>& sources, Settings settings) {
  auto opened = openSources(sources, settings, interruptOnSignal());
  SeenPoints seen{.table = {}, .sizes = extentsOf(opened)};
  seen.table.timed = seen.table.sigmasKnown = true;
  runToEnd(std::move(opened), std::move(settings), std::make_shared<PointSink>(seen.table));
  return seen;
}

}  // namespace glint
