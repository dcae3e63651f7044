// How a session measures one set of frames.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/session/run.h"
#include "config/error.h"

namespace glint {
std::vector<LayerMeasurement> Session::Run::measure(const FrameSet& set) {
  try {
    if (options_.stills) unseen_ = true;
    expectFirstFrames(set);
    expectations_ = trackers_->expectations();
    const bool drawn = !options_.wantsPlanes || !playback_.playing() || options_.wantsPlanes();
    detectors_->submit(set, expectations_, drawn);
    const auto start = Clock::now();
    Detectors::Result result = detectors_->collect();
    result_.wallTimes["wait"].add(microsecondsSince(start));
    addDeviceTimes(result.times);
    planes_ = std::move(result.planes);
    return std::move(result.cameras);
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& error) {  // a lost device: what was collected is still exported
    throw Error(fmt::format("the device '{}' failed: {}", device_->info().name, error.what()));
  }
}

/// A frame that no frame before it says anything about, be it that its camera begins later than the
/// others, is measured beforehand, and uses its own statistics; with live.lag 0 every frame is.
void Session::Run::expectFirstFrames(const FrameSet& set) {
  const bool noLag = detectors_->measuring().settings.live.lag == 0;
  if (std::exchange(unseen_, false) || noLag) trackers_->forgetResponses();
  std::vector<size_t> first;
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    if (set.stampOf(groups_.places[i]) && trackers_->lacksResponse(i)) first.push_back(i);
  }
  if (first.empty()) return;
  const std::vector<ResponseStatistics> own = detectors_->measure(set);
  for (const size_t camera : first) trackers_->expect(camera, own[camera]);
}

/// Whether those of the frame that is shown were not wanted, or had no room.
bool Session::Run::planesMissing() const {
  return detectors_->measuring().planes.any() && shown_ &&
         std::all_of(planes_.begin(), planes_.end(), [](const auto& group) { return !group; });
}

/// The frame that is shown stays for a while: its planes, once more as it was measured.
void Session::Run::keepPlanes() {
  if (mode_ == SessionState::Mode::failed || !options_.wantsPlanes || !planesMissing()) return;
  if (set_.groups.empty() || set_.index != shown_->index) return;
  detectors_->submit(set_, expectations_, true);
  planes_ = detectors_->collect().planes;
  publish();
}

/// The frame that is shown, with the settings that are in force now: shown, but not tracked.
void Session::Run::measureAgain() {
  if (!shown_ || set_.groups.empty()) return;
  const auto responses = detectors_->measure(set_);
  for (size_t i = 0; i < responses.size(); ++i) {
    expectations_[i].response = responses[i].values;
    expectations_[i].pixels = responses[i].pixels;
    expectations_[i].ground = responses[i].ground;
  }
  detectors_->submit(set_, expectations_, true);
  Detectors::Result result = detectors_->collect();
  auto again = std::make_shared<SessionFrame>(*shown_);
  again->epoch = epoch_;
  for (size_t i = 0; i < again->cameras.size(); ++i) {
    again->cameras[i].measured = std::move(result.cameras[i]);
    again->cameras[i].settled.clear();
  }
  shown_ = std::move(again);
  deviceTimes_ = std::move(result.times);
  planes_ = std::move(result.planes);
}

void Session::Run::addPixels(std::vector<CameraFrame>& cameras, const FrameSet& set) const {
  const auto& places = groups_.places;
  for (size_t i = 0; i < cameras.size(); ++i) {
    if (!cameras[i].measured.stamp) continue;
    cameras[i].pixels = set.groups[places[i].group];
    cameras[i].layer = places[i].layer;
  }
}

void Session::Run::count(const SessionFrame& frame) {
  SessionCounts& c = result_.counts;
  ++c.frames;
  c.lastMarkers = c.liveTracks = 0;
  const auto most = static_cast<size_t>(detectors_->measuring().settings.detect.maxMarkers);
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    const LayerMeasurement& measured = frame.cameras[i].measured;
    if (!measured.stamp) continue;
    ++c.framesOfCamera[i];
    c.dropped += measured.stamp->droppedBefore;
    if (measured.markers.size() == most) ++c.fullFrames;
    if (measured.partial) ++c.partialFrames;
    if (measured.response.most < measured.threshold) ++c.dimFrames;
    c.lastMarkers += measured.markers.size();
    c.liveTracks += frame.cameras[i].live.size();
    for (const Rejected& r : measured.rejected) ++c.rejected[r.reason];
  }
  c.markers += c.lastMarkers;
  c.tracks = earlierTracks_ + trackers_->tracks();
  c.repeats = earlierRepeats_ + trackers_->repeats();
  c.stitches = earlierStitches_ + trackers_->stitches();
}

void Session::Run::addDeviceTimes(const std::vector<PassTime>& times) {
  std::map<std::string, double> sums;
  for (const PassTime& pass : times) {
    sums[pass.name] += pass.microseconds;
    sums["all"] += pass.microseconds;
  }
  for (const auto& [name, sum] : sums) result_.deviceTimes[name].add(sum);
  deviceTimes_ = times;
}

}  // namespace glint
