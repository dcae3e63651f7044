// Cameras, lights in space and the dots that are theirs: what is adjusted together.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/motion/geometry/rig.h"

namespace glint::motion {

/// What of a lens is adjusted. The focal lengths are one number: fy / fx stays.
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

/// A number of a camera in BundleCovariance: LensNumber, then rotation, translation, time.
constexpr int kBundleNumbers = 15;
constexpr int kTimeNumber = 14;

struct BundleCamera {
  Lens lens;
  Pose pose;
  double timeOffset = 0;  ///< s; frames without times
  LensFree free{};
  bool freePose = true, freeTime = false;
  /// What the lens is held to, weakly: mean and standard deviation of each number; 0: not at all.
  Lens prior;
  std::array<double, lensNumbers> priorSigma{};
};

/// The target at one moment. Where its motion is known, it is at + velocity s + acceleration s^2 /
/// 2 after s.
struct BundleItem {
  size_t moment = 0;
  std::vector<Eigen::Vector3d> ends;                    ///< one of a light, two of a wand; mm
  std::vector<Eigen::Vector3d> velocity, acceleration;  ///< mm/s, mm/s^2; as many, or none
};

/// A dot that is a light of an item.
struct BundleSight {
  size_t camera = 0, item = 0;
  size_t light = 0;     ///< of the target
  double fraction = 0;  ///< of the way between the ends
  Eigen::Vector2d pixel, sigma;
  double delay = 0;  ///< of the view
};

/// Two cameras' centres at a known distance, mm: what scales a single light.
struct BaseLine {
  size_t first = 0, second = 0;
  double distance = 0;
};

struct Bundle {
  std::vector<BundleCamera> cameras;
  std::vector<BundleItem> items;
  std::vector<BundleSight> sights;
  double length = 0, lengthSigma = 0;  ///< of a wand, mm; 0: none
  std::optional<BaseLine> base;
  bool itemsFixed = false;
};

}  // namespace glint::motion
