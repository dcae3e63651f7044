// A bundle: cameras, lights in space and the dots that show them, which are adjusted together.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// Adjustable numbers of a lens. The focal length is a single number, because fy / fx stays as it
/// is.
enum LensNumber : size_t {
  focal,
  centreX,
  centreY,
  radial1,
  radial2,
  tangential1,
  tangential2,
  radial3,
  lensNumbers
};
using LensFree = std::array<bool, lensNumbers>;

/// The count of numbers of a camera in a covariance: those of LensNumber, then rotation (3),
/// translation (3) and time offset.
constexpr int kBundleNumbers = 15;
constexpr int kTimeNumber = 14;

struct BundleCamera {
  Lens lens;
  Pose pose;
  /// Time offset, s; in frames if the recording has no times.
  double timeOffset = 0;
  LensFree free{};
  bool freePose = true, freeTime = false;
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
};

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
};

}  // namespace glint::motion
