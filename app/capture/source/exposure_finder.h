// Brings a camera's exposure down until only markers are left. Internal to capture/.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Looks at frames and changes the exposure until the brightest spot lies between 0.35 and 0.9 of
/// full scale, and nine tenths of the picture below 0.1. Halves it while the picture is brighter,
/// and keeps markers above 0.35. Used by one thread.
class ExposureFinder {
 public:
  /// In the camera's own unit.
  struct Control {
    double least = 0, most = 0, now = 0;
    bool whole = false;  ///< allows whole numbers only
    std::string unit;    ///< "us", or empty
  };
  using Set = std::function<void(double exposure)>;  ///< throws what the camera refuses

  /// Sets the present exposure, which ends what sets it by itself. `name`: the camera's, for what
  /// is said.
  ExposureFinder(std::string name, const Control& control, Set set);

  /// The next frame; the first few after each change count for nothing. Says in the log what was
  /// done once that is found.
  void see(const gpu::ImageView& image);

  bool done() const { return done_; }
  double exposure() const { return now_; }

 private:
  /// Of full scale: what the brightest pixels reach, and what nine tenths of all do not exceed.
  struct View {
    double peak = 0, rest = 0;
  };
  static View look(const gpu::ImageView& image);
  double next(const View& view);
  void finish(const View& view);

  std::string name_;
  Control control_;
  Set set_;
  double now_, tooShort_ = 0, tooLong_ = 0;  ///< 0: not known
  int seen_ = 0;                             ///< frames since the latest change
  int changes_ = 0;
  bool done_ = false;
};

/// What a camera makes of camera.exposure = "find" (kFindExposure). Used by one thread.
class ExposureSearch {
 public:
  /// Whether a new request starts a search. Replaces the word in `request` by the exposure of
  /// `before`; another exposure ends a search.
  bool ask(Settings::Camera& request, const Settings::Camera& before);

  /// See ExposureFinder.
  void begin(std::string name, const ExposureFinder::Control& control, ExposureFinder::Set set) {
    finder_.emplace(std::move(name), control, std::move(set));
  }

  /// The next frame; whether the exposure has just been found. A camera that refuses ends the
  /// search, which is said: it may be gone.
  bool see(const gpu::ImageView& image);

 private:
  std::string asked_;  ///< the exposure last requested: "find", too
  std::optional<ExposureFinder> finder_;
};

}  // namespace glint::capture
