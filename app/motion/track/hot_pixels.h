// Recognises pixels of the sensor that are bright by themselves, some of them only now and then.
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
  double radii = 0;  ///< px, their sum

  double meanRadius() const { return radii / static_cast<double>(count); }
};

/// Remembers single-pixel lights at rest that ended before they became tracks. A pixel is hot if
/// more of them were there than chance brings together. One per camera; its memory is bounded.
class HotPixels {
 public:
  explicit HotPixels(const HotPixelOptions& options = {}) : options_(options) {}

  /// Adds sightings at (x, y), px. If the pixel is hot, returns the number of its sightings that
  /// were not returned before; otherwise 0. `area` (px^2) is that in which anything was ever seen.
  uint64_t add(double x, double y, const PixelSightings& seen, double area);

  /// Returns true if there is a known hot pixel at (x, y).
  bool isHot(double x, double y, double area) const;

  /// Returns the sightings at (x, y) so far.
  PixelSightings at(double x, double y) const;

 private:
  struct Pixel {
    PixelSightings seen;
    uint64_t unreported = 0;  // sightings that add() has not returned yet
  };
  bool isHot(const Pixel& pixel, double area) const;
  void forget();

  HotPixelOptions options_;
  std::map<std::pair<int, int>, Pixel> pixels_;
  uint64_t all_ = 0;  // sightings in all of them
};

/// Collects, for one track, if all its light may come from a single bright pixel.
class SinglePixelEvidence {
 public:
  explicit SinglePixelEvidence(const Observation& first);

  /// Adds the next measurement of the track. (lastX, lastY), px, is the one before.
  void add(const Observation& seen, double lastX, double lastY, const HotPixelOptions& options);

  /// Returns true if (x, y), px, is in the pixel in which the track began.
  bool isSamePixel(double x, double y, const HotPixelOptions& options) const;

  /// Returns true if all measurements, together with those of `before`, may come from one pixel. A
  /// lens never makes such small light. The mean radius decides, because the fit of faint light
  /// scatters.
  bool isHotPixel(const PixelSightings& before, const HotPixelOptions& options) const;

  /// The measurements so far, and the place of the first one, px.
  const PixelSightings& sightings() const { return sightings_; }
  double x() const { return x_; }
  double y() const { return y_; }

 private:
  PixelSightings sightings_;
  bool allSized_;         // the radii of all measurements are known
  bool stays_ = true;     // all measurements were in that pixel
  bool hopped_ = false;   // the pixel was changed once, by a long step
  double x_ = 0, y_ = 0;  // px
};

}  // namespace glint::motion
