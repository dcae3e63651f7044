// The state of each live camera: a light, and words about it.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace glint::ui {

enum class Light { green, late, dropping, lost };
const char* nameOf(Light light);

/// The state of one camera.
struct Health {
  Light light = Light::green;
  std::string words;  ///< "59.9 /s", "lost since 14:03:22"
  /// "was lost from 14:03:22 to 14:03:30"; it stays until the user has acknowledged it.
  std::string mark;
};

/// Returns true if a camera has an exposure that can be set.
bool hasExposure(const session::SessionState& state);

/// The health of a session's cameras, which follows their states. Main thread.
class CameraHealth {
 public:
  /// Time, s, for which the light shows that a frame was dropped.
  static constexpr double kDropping = 2;

  /// Takes the newest state of the session. `now` is in s, of a clock that never goes back. `time`
  /// is the time of day.
  void see(const session::SessionState& state, double now, std::time_t time);
  /// Returns the health of each camera; empty if the session is not live.
  const std::vector<Health>& cameras() const { return cameras_; }
  /// Removes the mark of a camera, because the user has acknowledged it.
  void takeNote(size_t camera);

 private:
  struct Memory {
    // Numbers of frames that were delivered and dropped, and of losses, when last looked at.
    uint64_t delivered = 0, dropped = 0, losses = 0;
    // Times, s, at which the last frame arrived, and at which the last one was dropped.
    std::optional<double> came, lastDrop;
    double silent = 0;      // s
    std::string lostSince;  // time of day; empty if the camera is there
  };
  void follow(const capture::CameraStatus& status, bool playing, double now,
              const std::string& clock, Memory& memory, Health& health);

  std::vector<Memory> memories_;
  std::vector<Health> cameras_;
};

}  // namespace glint::ui
