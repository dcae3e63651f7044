// Recognises hot pixels: pixels of the sensor that are bright without any light, some of them only
// at times.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "app/motion/track/observation.h"
#include "app/motion/track/tracker_options.h"

namespace glint::motion {

/// How often light was seen in one place, and how large it was.
struct PixelSightings {
  uint64_t count = 0;
  /// Sum of the radii, px.
  double radii = 0;

  double meanRadius() const { return radii / static_cast<double>(count); }
};

/// Remembers lights of a single pixel at rest that ended before they became tracks. A pixel is hot
/// if there were more of them than a coincidence explains. Each camera has one of these. Its memory
/// is bounded.
class HotPixels {
 public:
  explicit HotPixels(const HotPixelOptions& options = {}) : options_(options) {}

  /// Adds sightings at (x, y), px. If the pixel is hot, returns the number of its sightings that
  /// were not returned before, otherwise 0. `area` (px^2) is the area in which anything was ever
  /// seen.
  uint64_t add(double x, double y, const PixelSightings& seen, double area);

  /// Returns true if there is a known hot pixel at (x, y), px.
  bool isHot(double x, double y, double area) const;

  /// Returns the sightings at (x, y), px, so far.
  PixelSightings at(double x, double y) const;

 private:
  struct Pixel {
    PixelSightings seen;
    // Sightings that add() has not returned yet.
    uint64_t unreported = 0;
  };
  bool isHot(const Pixel& pixel, double area) const;
  void forget();

  HotPixelOptions options_;
  std::map<std::pair<int, int>, Pixel> pixels_;
  // Number of sightings in all pixels.
  uint64_t all_ = 0;
};

/// Tests whether all the light of one track may come from a single bright pixel.
class SinglePixelEvidence {
 public:
  explicit SinglePixelEvidence(const Observation& first);

  /// Adds the next measurement of the track. (lastX, lastY), px, is the previous one.
  void add(const Observation& seen, double lastX, double lastY, const HotPixelOptions& options);

  /// Returns true if (x, y), px, is in the pixel in which the track began.
  bool isSamePixel(double x, double y, const HotPixelOptions& options) const;

  /// Returns true if all measurements, together with those of `before`, may come from one pixel. A
  /// lens never makes such small spots of light. The mean radius decides, because the fit of faint
  /// light scatters.
  bool isHotPixel(const PixelSightings& before, const HotPixelOptions& options) const;

  /// Returns the measurements so far. x() and y() return the place of the first one, px.
  const PixelSightings& sightings() const { return sightings_; }
  double x() const { return x_; }
  double y() const { return y_; }

 private:
  PixelSightings sightings_;
  // True if the radii of all measurements are known.
  bool allSized_;
  // True if all measurements were in that pixel.
  bool stays_ = true;
  // True if the pixel was changed once, by a long step.
  bool hopped_ = false;
  double x_ = 0, y_ = 0;  // px
};

}  // namespace glint::motion
