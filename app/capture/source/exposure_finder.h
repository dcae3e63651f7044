// Shortens or lengthens a camera's exposure until only markers are bright. Internal to capture/.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::capture {

/// The numbers that steer the search for an exposure. Brightness is in shares of full scale.
/// tests/live/camera_test.py guards the values.
struct ExposureOptions {
  /// The brightest pixels must not be brighter than this. Raising it gives brighter markers, and
  /// leaves less room before they saturate.
  double maxPeak = 0.9;
  /// The brightest pixels must be at least this bright. Raising it refuses fainter markers.
  double minPeak = 0.35;
  /// Nine tenths of the picture should not be brighter than this. Raising it accepts a brighter
  /// surrounding.
  double maxRest = 0.1;
  /// The brightness that is aimed at if the brightest pixels were below `minPeak`. It lies between
  /// `minPeak` and `maxPeak`, so that errors to both sides are harmless.
  double aim = 0.6;
  /// The largest factor by which one step lengthens the exposure. Raising it takes fewer steps in
  /// the dark, and may saturate.
  double maxLengthening = 8;
  /// If the surrounding is too bright, the exposure is shortened until the surrounding is at
  /// `restMargin` times `maxRest`. But the brightest pixels stay at least at `peakMargin` times
  /// `minPeak`. Raising `restMargin` shortens less; raising `peakMargin` keeps markers brighter.
  double peakMargin = 1.1, restMargin = 0.8;
  /// The number of frames after a change that are ignored, because they may have been taken before
  /// it. Raising it suits cameras with more buffers, and takes longer.
  int ignoredFrames = 4;
  /// The largest number of changes. After these, the search ends with the present exposure.
  int maxChanges = 16;
  /// The number of pixels that must be bright. Raising it ignores more broken pixels, and smaller
  /// markers.
  size_t minPixels = 4;
  /// Relative changes of the exposure that are smaller than this are not made. Raising it ends
  /// sooner.
  double minChange = 0.05;
};

/// Reads frames and changes the exposure until the brightest spot lies between
/// ExposureOptions::minPeak and maxPeak, and nine tenths of the picture lie below maxRest. It
/// halves the exposure while the picture is brighter, but keeps markers above minPeak. Only one
/// thread may use it.
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
  ExposureFinder(std::string name, const Control& control, Set set,
                 const ExposureOptions& options = {});

  /// Reads the next frame; the first few frames after each change are ignored. Once the exposure
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
  View measureBrightness(const gpu::ImageView& image) const;
  double next(const View& view);
  void finish(const View& view);

  ExposureOptions options_;
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

  /// Reads the next frame, and returns true if the exposure has just been found. If the camera
  /// refuses a change, because it may be gone, the search ends and the log reports it.
  bool see(const gpu::ImageView& image);

 private:
  std::string asked_;  ///< the exposure that was requested last, which may be "find"
  std::optional<ExposureFinder> finder_;
};

}  // namespace glint::capture
