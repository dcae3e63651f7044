// Shortens or lengthens a camera's exposure until only markers are bright. Internal to capture/.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::capture {

/// Looks at frames and changes the exposure until the brightest spot lies between 0.35 and 0.9 of
/// full scale, and nine tenths of the picture lie below 0.1. It halves the exposure while the
/// picture is brighter, but keeps markers above 0.35. Only one thread may use it.
class ExposureFinder {
 public:
  /// The exposure control of a camera, in the camera's own unit.
  struct Control {
    double least = 0, most = 0, now = 0;
    bool whole = false;  ///< true if only whole numbers are allowed
    std::string unit;    ///< such as "us"; or empty
  };
  /// A function that sets the exposure, and throws if the camera refuses it.
  using Set = std::function<void(double exposure)>;

  /// Sets the present exposure, which ends the camera's automatic exposure. `name`: the camera's
  /// name in messages.
  ExposureFinder(std::string name, const Control& control, Set set);

  /// Looks at the next frame; the first few frames after each change are ignored. Once the exposure
  /// is found, reports it in the log.
  void see(const gpu::ImageView& image);

  bool done() const { return done_; }
  double exposure() const { return now_; }

 private:
  /// Brightness of a frame as fractions of full scale: of the brightest pixels, and the one that
  /// nine tenths of all pixels do not exceed.
  struct View {
    double peak = 0, rest = 0;
  };
  static View measureBrightness(const gpu::ImageView& image);
  double next(const View& view);
  void finish(const View& view);

  std::string name_;
  Control control_;
  Set set_;
  double now_, tooShort_ = 0, tooLong_ = 0;  ///< exposures; 0: not known
  int seen_ = 0;                             ///< frames since the latest change
  int changes_ = 0;
  bool done_ = false;
};

/// The search of a camera with camera.exposure = "find" (kFindExposure). Only one thread may use
/// it.
class ExposureSearch {
 public:
  /// Returns true if `request` starts a search, because its exposure is "find" and was not at the
  /// last call. Replaces "find" in `request` by the exposure of `before`. Another exposure ends a
  /// search.
  bool ask(Settings::Camera& request, const Settings::Camera& before);

  /// Begins a search; see ExposureFinder.
  void begin(std::string name, const ExposureFinder::Control& control, ExposureFinder::Set set) {
    finder_.emplace(std::move(name), control, std::move(set));
  }

  /// Looks at the next frame, and returns true if the exposure has just been found. If the camera
  /// refuses a change, because it may be gone, the search ends and the log reports it.
  bool see(const gpu::ImageView& image);

 private:
  std::string asked_;  ///< the exposure that was requested last, which may be "find"
  std::optional<ExposureFinder> finder_;
};

}  // namespace glint::capture
