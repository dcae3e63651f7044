#include "app/session/trackers.h"

#include <optional>
#include <utility>
#include <vector>

namespace glint {
namespace {

Observation toObservation(const shared::Detection& d, const std::optional<TemplateFit>& fit) {
  Observation seen{d.x,    d.y,      d.sigmaX,       d.sigmaY, static_cast<double>(d.peak),
                   d.mass, d.radius, d.eccentricity, d.flags};
  if (fit) {
    seen.angle = fit->angle;
    seen.scale = fit->scale;
  }
  return seen;
}

Settings::Track trackingOf(const Settings::Track& settings, bool stills) {
  Settings::Track own = settings;
  if (stills) own.confirm = 1;
  return own;
}

}  // namespace

Trackers::Trackers(const Settings::Track& settings, size_t cameras, bool stills)
    : stills_(stills),
      settings_(trackingOf(settings, stills)),
      ids_(std::make_shared<TrackIds>()),
      expectations_(cameras) {
  for (size_t i = 0; i < cameras; ++i) trackers_.emplace_back(settings_, ids_);
}

void Trackers::apply(const Settings::Track& settings) {
  settings_ = trackingOf(settings, stills_);
  for (Tracker& tracker : trackers_) tracker.apply(settings_);
}

void Trackers::forgetResponses() {
  for (LayerExpectation& camera : expectations_) camera.pixels = 0;
}

void Trackers::expect(size_t camera, const ResponseStatistics& own) {
  expectations_[camera].response = own.values;
  expectations_[camera].pixels = own.pixels;
  expectations_[camera].ground = own.ground;
}

std::vector<CameraFrame> Trackers::update(std::vector<LayerMeasurement> measured) {
  std::vector<CameraFrame> cameras;
  for (size_t i = 0; i < trackers_.size(); ++i) {
    CameraFrame& camera = cameras.emplace_back();
    camera.measured = std::move(measured[i]);
    switch (camera.measured.state) {
      case CameraState::frame:
        follow(i, camera);
        if (stills_) trackers_[i].finish();
        break;
      case CameraState::none:
      case CameraState::lost:
        break;
      case CameraState::ended:  // the others go on
        trackers_[i].finish();
        expectations_[i].predictions.clear();
        break;
    }
    camera.settled = trackers_[i].takeSettled();
    if (stills_ && camera.measured.state == CameraState::frame)
      trackers_[i] = Tracker(settings_, ids_);
  }
  return cameras;
}

std::vector<CameraFrame> Trackers::finish() {
  std::vector<CameraFrame> cameras(trackers_.size());
  for (size_t i = 0; i < trackers_.size(); ++i) {
    trackers_[i].finish();
    cameras[i].settled = trackers_[i].takeSettled();
  }
  return cameras;
}

uint64_t Trackers::stitches() const {
  uint64_t sum = 0;
  for (const Tracker& tracker : trackers_) sum += tracker.stitches();
  return sum;
}

uint64_t Trackers::repeats() const {
  uint64_t sum = 0;
  for (const Tracker& tracker : trackers_) sum += tracker.repeats();
  return sum;
}

void Trackers::follow(size_t i, CameraFrame& camera) {
  std::vector<Observation> seen;
  const auto& fits = camera.measured.fits;
  for (size_t k = 0; k < camera.measured.markers.size(); ++k)
    seen.push_back(
        toObservation(camera.measured.markers[k], k < fits.size() ? fits[k] : std::nullopt));
  trackers_[i].update(camera.measured.stamp->sequence, camera.measured.stamp->time, seen);
  camera.live = trackers_[i].live();
  camera.tentative = trackers_[i].tentative();
  expectations_[i].response = camera.measured.response;
  expectations_[i].pixels = camera.measured.pixels;
  expectations_[i].ground = camera.measured.ground;
  expectations_[i].predictions.clear();
  if (stills_) return;
  for (const Prediction& p : trackers_[i].predictions()) {
    expectations_[i].predictions.push_back({static_cast<float>(p.x), static_cast<float>(p.y),
                                            static_cast<float>(p.radius),
                                            static_cast<uint32_t>(p.track)});
  }
}

}  // namespace glint
