// How each live camera fares: a light, and words about it.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace glint::ui {

enum class Light { green, late, dropping, lost };
const char* nameOf(Light light);

/// Of one camera.
struct Health {
  Light light = Light::green;
  std::string words;  ///< "59.9 /s", "lost since 14:03:22"
  std::string mark;   ///< "was lost from 14:03:22 to 14:03:30"; stays until it was taken note of
};

/// Whether any camera has an exposure that can be set.
bool hasExposure(const session::SessionState& state);

/// Main thread.
class CameraHealth {
 public:
  static constexpr double kDropping = 2;  ///< s that the light tells of a dropped frame

  /// The newest state of a session; `now`: s, of a clock that never goes back; `time`: of the wall.
  void see(const session::SessionState& state, double now, std::time_t time);
  /// A camera each; none where nothing is live.
  const std::vector<Health>& cameras() const { return cameras_; }
  /// The user knows: its mark goes.
  void takeNote(size_t camera);

 private:
  struct Memory {
    uint64_t delivered = 0, dropped = 0, losses = 0;
    std::optional<double> came, lastDrop;  // s
    double silent = 0;                     // s, that are not worth a word
    std::string lostSince;                 // of the wall; empty: it is there
  };
  void follow(const capture::CameraStatus& status, bool playing, double now,
              const std::string& clock, Memory& memory, Health& health);

  std::vector<Memory> memories_;
  std::vector<Health> cameras_;
};

}  // namespace glint::ui
