#include "ui/model/threshold_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/capture/source/source_kinds.h"
#include "app/motion/frame/threshold_doubt.h"
#include "app/shell/desk/memory_source.h"

namespace glint::ui {
namespace {

// The most lamps that are tried with the same settings. A lamp that moves counts as another one in
// each place.
constexpr size_t kMostTried = 4;
// Duration of live frames that must be in memory before a trial, s.
constexpr double kLeastRecent = 1;

bool isWithin(double x, double y, double radius, const shared::Detection& lamp) {
  return std::hypot(lamp.x - x, lamp.y - y) < radius;
}

/// True if both settings find the same lamps.
bool findAlike(const Settings& a, const Settings& b) {
  return a.detect == b.detect && a.response == b.response;
}

}  // namespace

void ThresholdWatch::follow(const ShownFrame& shown, bool busy) {
  takeFrames();
  takeOutcome();
  shows_ = showsGlare_ = false;
  if (task_.empty || task_.sources.size() != 1 || !shown.frame || shown.stale) return;
  const Settings& now = *shown.frame->settings;
  const motion::CameraFrame& camera = shown.frame->cameras.front();
  if (!camera.measured.stamp) return;
  const shared::Detection* lamp = motion::lampOf(camera.measured, now);
  const bool glare = motion::hasGlare(camera.measured, now);
  if (lamp == nullptr && !glare) return;
  if (!findAlike(now, settings_)) {
    settings_ = now;
    tried_.clear();
    lamp_.reset();
    triedGlare_ = false;
    glare_.reset();
  }
  shows_ = lamp != nullptr && lamp_ && isWithin(lamp_->x, lamp_->y, lamp_->radius, *lamp);
  showsGlare_ = glare && glare_;
  if (busy) return;
  if (lamp != nullptr && !wasTried(*lamp) && begin(now))
    tried_.push_back({lamp->x, lamp->y, lamp->radius});
  if (glare && !triedGlare_) triedGlare_ = begin(now);
}

bool ThresholdWatch::wasTried(const shared::Detection& lamp) const {
  return tried_.size() == kMostTried || std::ranges::any_of(tried_, [&](const Tried& tried) {
           return isWithin(tried.x, tried.y, tried.radius, lamp);
         });
}

/// Begins a trial, or asks for the frames that it needs. Returns false if that is not possible now.
bool ThresholdWatch::begin(const Settings& settings) {
  if (trial_ || recall_.asked()) return false;
  settings_ = settings;
  const session::SessionState& state = player_.state();
  if (state.live) {
    if (!state.recent || state.recent->seconds < kLeastRecent) return false;
    recall_.ask(player_, wake_);  // the session is using the camera itself
  } else {
    if (!state.canSeek) return false;
    const auto open = [address = task_.sources.front()](const capture::Interrupt& interrupt) {
      return capture::openSource(address, &interrupt);
    };
    trial_ = std::make_unique<shell::ThresholdTrial>(task_.device, open, settings_, wake_);
  }
  return true;
}

/// Begins the trial once the frames in memory have arrived.
void ThresholdWatch::takeFrames() {
  if (!recall_.asked()) return;
  const auto sets = recall_.take(player_.state());
  auto shots = sets ? shell::shotsOf(*sets, 0) : std::vector<output::RawShot>();
  if (shots.empty()) return;
  trial_ = std::make_unique<shell::ThresholdTrial>(
      task_.device, shell::memoryOpener(task_.sources.front().shown(), std::move(shots)), settings_,
      wake_);
}

void ThresholdWatch::takeOutcome() {
  using State = shell::BackgroundTask::Progress::State;
  if (!trial_ || trial_->progress().state == State::running) return;
  if (findAlike(trial_->settings(), settings_)) {
    if (trial_->lamp()) lamp_ = trial_->lamp();
    if (trial_->glare()) glare_ = trial_->glare();
  }
  trial_.reset();
}

void ThresholdWatch::leave() {
  lamp_.reset();
  glare_.reset();
  shows_ = showsGlare_ = false;
}

}  // namespace glint::ui
