// Pixels of the sensor that are bright by themselves, some only now and then.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace glint {

/// How often light was seen in one place, and how large it was.
struct PixelSightings {
  uint64_t count = 0;
  double radii = 0;  ///< px, their sum

  double meanRadius() const { return radii / static_cast<double>(count); }
};

/// Remembers single-pixel lights at rest that ended before they became tracks. Where more of them
/// were than chance brings together, a pixel is hot. One camera; memory is bounded.
class HotPixels {
 public:
  /// Takes what was seen around (x, y), px. Returns how many sightings there are of a hot pixel
  /// that were not told of before.
  uint64_t add(double x, double y, const PixelSightings& seen, double area);

  /// Whether a hot pixel is known to be there. `area`, px^2, is where anything was ever seen.
  bool isHot(double x, double y, double area) const;

  /// What was seen there so far.
  PixelSightings at(double x, double y) const;

 private:
  struct Pixel {
    PixelSightings seen;
    uint64_t untold = 0;
  };
  bool isHot(const Pixel& pixel, double area) const;
  void forget();

  std::map<std::pair<int, int>, Pixel> pixels_;
  uint64_t all_ = 0;  // sightings in all of them
};

}  // namespace glint
