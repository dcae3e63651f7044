#include "app/session/camera_trackers.h"

#include <optional>
#include <vector>

namespace glint::session {
namespace {

motion::Observation toObservation(const shared::Detection& d,
                                  const std::optional<gpu::TemplateFit>& fit) {
  motion::Observation seen{d.x,    d.y,      d.sigmaX,       d.sigmaY, static_cast<double>(d.peak),
                           d.mass, d.radius, d.eccentricity, d.flags};
  if (fit) {
    seen.angle = fit->angle;
    seen.scale = fit->scale;
    seen.score = fit->score;
  }
  return seen;
}

Settings::Track trackingOf(const Settings::Track& settings, bool stills) {
  Settings::Track own = settings;
  if (stills) own.confirm = 1;
  return own;
}

}  // namespace

TrackerInput inputOf(SetIndex set, const gpu::LayerMeasurement& measured) {
  TrackerInput input{.state = measured.state,
                     .at = {set, {}, 0},
                     .seen = {},
                     .response = {measured.response, measured.pixels, measured.ground}};
  if (!measured.stamp) return input;
  input.at.frame = FrameNumber(measured.stamp->sequence);
  input.at.time = measured.stamp->time;
  for (size_t k = 0; k < measured.markers.size(); ++k)
    input.seen.push_back(toObservation(measured.markers[k],
                                       k < measured.fits.size() ? measured.fits[k] : std::nullopt));
  return input;
}

TrackerInput inputOf(SetIndex set, const motion::CameraFrame& camera) {
  TrackerInput input = inputOf(set, camera.measured);
  input.predictedPlaces = camera.predictedPlaces;
  return input;
}

CameraTrackers::CameraTrackers(const Settings::Track& settings, size_t cameras, bool stills)
    : stills_(stills),
      settings_(trackingOf(settings, stills)),
      ids_(std::make_shared<motion::TrackIds>()),
      expectations_(cameras) {
  for (size_t i = 0; i < cameras; ++i) trackers_.emplace_back(settings_, ids_);
}

CameraTrackers::CameraTrackers(const CameraTrackers& other)
    : stills_(other.stills_),
      settings_(other.settings_),
      ids_(std::make_shared<motion::TrackIds>(*other.ids_)),
      trackers_(other.trackers_),
      expectations_(other.expectations_) {
  for (motion::Tracker& tracker : trackers_) tracker.share(ids_);
}

void CameraTrackers::apply(const Settings::Track& settings) {
  settings_ = trackingOf(settings, stills_);
  for (motion::Tracker& tracker : trackers_) tracker.apply(settings_);
}

void CameraTrackers::forgetResponses() {
  for (gpu::LayerExpectation& camera : expectations_) camera.pixels = 0;
}

void expectResponse(gpu::LayerExpectation& camera, const gpu::ResponseStatistics& own) {
  camera.response = own.values;
  camera.pixels = own.pixels;
  camera.ground = own.ground;
}

void CameraTrackers::update(const std::vector<TrackerInput>& inputs,
                            std::vector<motion::CameraFrame>& cameras) {
  for (size_t i = 0; i < trackers_.size(); ++i) {
    const gpu::CameraState state = inputs[i].state;
    if (state == gpu::CameraState::frame) {
      follow(i, inputs[i], cameras[i]);
      if (stills_) trackers_[i].finish();
      // The other cameras continue.
    } else if (state == gpu::CameraState::ended) {
      trackers_[i].finish();
      expectations_[i].predictions.clear();
    }
    cameras[i].finalised = trackers_[i].takeFinalised();
    if (stills_ && state == gpu::CameraState::frame)
      trackers_[i] = motion::Tracker(settings_, ids_);
  }
}

std::vector<motion::CameraFrame> CameraTrackers::finish() {
  std::vector<motion::CameraFrame> cameras(trackers_.size());
  for (size_t i = 0; i < trackers_.size(); ++i) {
    trackers_[i].finish();
    cameras[i].finalised = trackers_[i].takeFinalised();
  }
  return cameras;
}

uint64_t CameraTrackers::stitches() const {
  uint64_t sum = 0;
  for (const motion::Tracker& tracker : trackers_) sum += tracker.stitches();
  return sum;
}

uint64_t CameraTrackers::repeats() const {
  uint64_t sum = 0;
  for (const motion::Tracker& tracker : trackers_) sum += tracker.repeats();
  return sum;
}

motion::Untracked CameraTrackers::untracked() const {
  motion::Untracked sum;
  for (const motion::Tracker& tracker : trackers_) sum.add(tracker.untracked());
  return sum;
}

void CameraTrackers::follow(size_t i, const TrackerInput& input, motion::CameraFrame& camera) {
  trackers_[i].update(input.at, input.seen, input.predictedPlaces);
  camera.tracks = trackers_[i].live();
  camera.tentative = trackers_[i].tentative();
  expectResponse(expectations_[i], input.response);
  expectations_[i].predictions.clear();
  if (stills_) return;
  for (const motion::Prediction& p : trackers_[i].predictions()) {
    expectations_[i].predictions.push_back({static_cast<float>(p.x), static_cast<float>(p.y),
                                            static_cast<float>(p.radius),
                                            static_cast<uint32_t>(p.track.value())});
  }
}

}  // namespace glint::session
