#include "ui/model/lamp_watch.h"

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

void LampWatch::follow(const ShownFrame& shown, bool busy) {
  takeFrames();
  takeOutcome();
  shows_ = false;
  if (task_.empty || task_.sources.size() != 1 || !shown.frame || shown.stale) return;
  const Settings& now = *shown.frame->settings;
  const motion::CameraFrame& camera = shown.frame->cameras.front();
  const shared::Detection* lamp =
      camera.measured.stamp ? motion::lampOf(camera.measured, now) : nullptr;
  if (lamp == nullptr) return;
  if (!findAlike(now, settings_)) {
    settings_ = now;
    tried_.clear();
    lamp_.reset();
  }
  shows_ = lamp_ && isWithin(lamp_->x, lamp_->y, lamp_->radius, *lamp);
  if (!busy && !wasTried(*lamp)) begin(*lamp, now);
}

bool LampWatch::wasTried(const shared::Detection& lamp) const {
  return tried_.size() == kMostTried || std::ranges::any_of(tried_, [&](const Tried& tried) {
           return isWithin(tried.x, tried.y, tried.radius, lamp);
         });
}

void LampWatch::begin(const shared::Detection& lamp, const Settings& settings) {
  if (trial_ || recall_.asked()) return;
  settings_ = settings;
  const session::SessionState& state = player_.state();
  if (state.live) {
    if (!state.recent || state.recent->seconds < kLeastRecent) return;
    recall_.ask(player_, wake_);  // the session is using the camera itself
  } else {
    if (!state.canSeek) return;
    const auto open = [address = task_.sources.front()](const capture::Interrupt& interrupt) {
      return capture::openSource(address, &interrupt);
    };
    trial_ = std::make_unique<shell::LampTrial>(task_.device, open, settings_, wake_);
  }
  tried_.push_back({lamp.x, lamp.y, lamp.radius});
}

/// Begins the trial once the frames in memory have arrived.
void LampWatch::takeFrames() {
  if (!recall_.asked()) return;
  const auto sets = recall_.take(player_.state());
  auto shots = sets ? shell::shotsOf(*sets, 0) : std::vector<output::RawShot>();
  if (shots.empty()) return;
  trial_ = std::make_unique<shell::LampTrial>(
      task_.device, shell::memoryOpener(task_.sources.front().shown(), std::move(shots)), settings_,
      wake_);
}

void LampWatch::takeOutcome() {
  using State = shell::BackgroundTask::Progress::State;
  if (!trial_ || trial_->progress().state == State::running) return;
  if (trial_->lamp() && findAlike(trial_->settings(), settings_)) lamp_ = trial_->lamp();
  trial_.reset();
}

void LampWatch::leave() {
  lamp_.reset();
  shows_ = false;
}

}  // namespace glint::ui
