// A bundle: cameras, lights in space and the dots that show them, which are adjusted together.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// Adjustable numbers of a lens. `focal` is fx, and `aspect` is fy / fx.
enum LensNumber : size_t {
  focal,
  centreX,
  centreY,
  radial1,
  radial2,
  tangential1,
  tangential2,
  radial3,
  aspect,
  lensNumbers
};
using LensFree = std::array<bool, lensNumbers>;

/// The count of numbers of a camera in a covariance: those of LensNumber, then rotation (3),
/// translation (3), time offset and readout time.
constexpr int kBundleNumbers = 17;
constexpr int kTimeNumber = 15;
constexpr int kReadoutNumber = 16;

struct BundleCamera {
  Lens lens;
  Pose pose;
  /// Time offset, s; in frames if the recording has no times.
  double timeOffset = 0;
  /// Time in which a rolling shutter reads all rows of an image, s or frames: the last row is later
  /// than the first one by this. 0 if all rows are taken at once.
  double readout = 0;
  /// If this is the second place of a camera that was moved, the index of that camera; otherwise
  /// empty. A second place has its own pose. Its lens, time offset and readout time are copies of
  /// the camera's.
  std::optional<size_t> placeOf;
  LensFree free{};
  bool freePose = true, freeTime = false, freeReadout = false;
  /// Weak prior of the lens: mean and standard deviation of each number. A standard deviation of 0
  /// means no prior.
  Lens prior;
  std::array<double, lensNumbers> priorSigma{};
};

/// The target at one moment. If its motion is known, an end is at + velocity s + acceleration s^2 /
/// 2 after s seconds.
struct BundleItem {
  size_t moment = 0;
  /// Positions, mm: one for a light, two for a wand.
  std::vector<Eigen::Vector3d> ends;
  /// Motion of the ends, mm/s and mm/s^2. One for each end, or none if it is not known.
  std::vector<Eigen::Vector3d> velocity, acceleration;
};

/// A dot in a camera's image that shows a light of an item.
struct BundleSight {
  size_t camera = 0, item = 0;
  /// Index in Target::lights.
  size_t light = 0;
  /// Position of the light between the ends, 0 to 1.
  double fraction = 0;
  Eigen::Vector2d pixel, sigma;
  /// View::delay of the dot's view.
  double delay = 0;
  /// Position of the dot's row in the image, from -1/2 (top) to 1/2 (bottom): see rowOf().
  double row = 0;
};

/// Returns the position of a pixel's row in an image of this height (px), as in BundleSight::row.
inline double rowOf(const Eigen::Vector2d& pixel, int height) {
  return (pixel.y() + 0.5) / height - 0.5;
}

/// Returns how much later than BundleSight::delay says a camera sees the row of a sight, s or
/// frames.
inline double latenessOf(const BundleCamera& camera, const BundleSight& sight) {
  return camera.timeOffset + camera.readout * sight.row;
}

/// A known distance between the centres of two cameras, mm. It sets the scale if the target is a
/// single light.
struct BaseLine {
  size_t first = 0, second = 0;
  double distance = 0;
};

struct Bundle {
  std::vector<BundleCamera> cameras;
  std::vector<BundleItem> items;
  std::vector<BundleSight> sights;
  /// Length of the wand and its standard deviation, mm. 0 for a single light.
  double length = 0, lengthSigma = 0;
  std::optional<BaseLine> base;
  bool itemsFixed = false;

  /// Returns the camera that took the dots of camera `c`: `c`, or the camera of which it is another
  /// place.
  size_t takenBy(size_t c) const { return cameras[c].placeOf.value_or(c); }
  /// Adds another place of a camera, and returns its index among the cameras.
  size_t addPlace(size_t camera, const Pose& pose);
  /// Copies the lens and the times of each camera to its other places.
  void sharePlaces();
};

inline size_t Bundle::addPlace(size_t camera, const Pose& pose) {
  BundleCamera place = cameras[camera];
  place.pose = pose;
  place.placeOf = camera;
  place.free = {};
  place.freePose = true;
  place.freeTime = place.freeReadout = false;
  cameras.push_back(place);
  return cameras.size() - 1;
}

inline void Bundle::sharePlaces() {
  for (BundleCamera& place : cameras) {
    if (!place.placeOf) continue;
    const BundleCamera& camera = cameras[*place.placeOf];
    place.lens = camera.lens;
    place.timeOffset = camera.timeOffset;
    place.readout = camera.readout;
  }
}

}  // namespace glint::motion
