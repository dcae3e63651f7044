#include "ui/model/camera_health.h"

#include <algorithm>
#include <array>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace glint::ui {
namespace {

// A camera is late after three of its intervals, but not before 0.3 s.
constexpr double kLateIntervals = 3, kLeastLate = 0.3;

}  // namespace

const char* nameOf(Light light) {
  constexpr std::array kNames{"green", "late", "dropping", "lost"};
  return kNames[static_cast<size_t>(light)];
}

bool hasExposure(const session::SessionState& state) {
  return std::ranges::any_of(state.cameras, [](const capture::CameraStatus& camera) {
    return camera.offer && std::ranges::any_of(camera.offer->controls, [](const auto& control) {
             return control.name == "exposure" && !control.readOnly;
           });
  });
}

void CameraHealth::see(const session::SessionState& state, double now, std::time_t time) {
  if (!state.live) return cameras_.clear();
  cameras_.resize(state.cameras.size());
  memories_.resize(state.cameras.size());
  const std::string clock = fmt::format("{:%H:%M:%S}", fmt::localtime(time));
  const bool playing = state.mode == session::SessionState::Mode::playing;
  for (size_t i = 0; i < cameras_.size(); ++i)
    follow(state.cameras[i], playing, now, clock, memories_[i], cameras_[i]);
}

void CameraHealth::follow(const capture::CameraStatus& status, bool playing, double now,
                          const std::string& clock, Memory& memory, Health& health) {
  using State = capture::CameraStatus::State;
  const bool broken = status.state == State::ended && !status.problem.empty();
  if (status.state == State::lost || broken) {
    if (memory.lostSince.empty()) memory.lostSince = clock;
    memory.losses = status.losses;
    health.light = Light::lost;
    health.words = fmt::format("{} since {}", broken ? "broken" : "lost", memory.lostSince);
    return;
  }
  if (!memory.lostSince.empty() || status.losses > memory.losses) {
    const std::string since = memory.lostSince.empty() ? clock : memory.lostSince;
    health.mark = fmt::format("was lost from {} to {}", since, clock);
    memory.lostSince.clear();
    memory.losses = status.losses;
    memory.came.reset();
  }
  if (status.delivered != memory.delivered || !playing) memory.came = now;
  if (status.dropped > memory.dropped && memory.delivered > 0) memory.lastDrop = now;
  memory.delivered = status.delivered;
  memory.dropped = status.dropped;
  const double silent = memory.came ? now - *memory.came : 0;
  const double patience =
      status.rate > 0 ? std::max(kLeastLate, kLateIntervals / status.rate) : 1.0;
  if (status.state == State::ended) {
    health = {Light::late, "ended", health.mark};
  } else if (status.delivered == 0) {
    health = {Light::late, "waiting for its first frame", health.mark};
  } else if (memory.lastDrop && now - *memory.lastDrop < kDropping) {
    health = {Light::dropping, fmt::format("dropping frames, {} so far", status.dropped),
              health.mark};
  } else if (silent > patience) {
    health = {Light::late, fmt::format("late: nothing for {:.1f} s", silent), health.mark};
  } else {
    health = {Light::green,
              status.rate > 0 ? fmt::format("{:.1f} /s", status.rate) : std::string("live"),
              health.mark};
  }
}

void CameraHealth::takeNote(size_t camera) {
  cameras_[camera].mark.clear();
}

}  // namespace glint::ui
