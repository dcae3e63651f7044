// Whether a camera keeps its promise. Internal to capture/.
#pragma once

#include <cstdint>
#include <string>

namespace glint::capture {

/// Says once, in the log, that a camera gives much fewer frames than it promised.
class RateWatch {
 public:
  RateWatch() = default;
  /// `promised`: frames a second; 0: nothing was.
  RateWatch(std::string name, double promised) : name_(std::move(name)), promised_(promised) {}

  /// Starts again: the camera has been away.
  void begin() { frames_ = 0, seconds_ = 0; }

  /// `frames` that the camera took within `seconds`, whether they came or not.
  void see(uint64_t frames, double seconds);

 private:
  std::string name_;
  double promised_ = 0;
  uint64_t frames_ = 0;
  double seconds_ = 0;
  bool said_ = false;
};

}  // namespace glint::capture
