// Simulates identical markers before a rig: what each camera sees, and where the markers really
// are.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "app/motion/geometry/rig.h"
#include "app/motion/space/body.h"
#include "app/motion/space/noise_floor.h"
#include "app/motion/space/space_set.h"

namespace glint::test {

using Places = std::vector<Eigen::Vector3d>;

/// How cameras see a set.
struct Viewing {
  /// The noise of each coordinate, px. The stated sigma of a dot is smaller by kSharedNoise (in
  /// squares).
  double sigma = 0.1;
  double unseen = 0;  ///< The share of dots that are missing.
  double time = 0;    ///< s
  uint64_t frame = 0;
};

/// Returns the dots that the cameras see of `markers`. If `counts` is given, it gets the number of
/// cameras that have a dot of each marker.
motion::SpaceSet viewOf(const motion::Rig& rig, const Places& markers, const Viewing& viewing,
                        std::mt19937& random, std::vector<int>* counts = nullptr);

/// Returns random places in a box of 3 x 3 x 2 m about the origin.
Places anywhere(size_t count, std::mt19937& random);

/// Markers that swing about in the same volume at up to 2 m/s and 10 m/s^2.
class Swarm {
 public:
  Swarm(size_t count, std::mt19937& random);
  Places at(double time) const;

 private:
  struct Swing {
    Eigen::Vector3d middle, reach, rate, phase;
  };
  std::vector<Swing> swings_;
};

/// Returns a body of four markers about 100 mm apart. Its shape is known exactly and fits onto
/// itself in one way only.
motion::Body fourMarkers(std::string name = "four");

/// A pose of a body. A point `at` of the body lies at rotation * at + place in the world.
struct BodyPose {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d place;
  Eigen::Vector3d operator*(const Eigen::Vector3d& at) const { return rotation * at + place; }
};
BodyPose anyPose(std::mt19937& random);
Places placesOf(const motion::Body& body, const BodyPose& pose);

/// Returns the rig with every camera turned by `degrees` and shifted by `mm`, both in random
/// directions.
motion::Rig disturbed(motion::Rig rig, double degrees, double mm, std::mt19937& random);

/// Returns a noise floor that has learned that there is no noise but that of the dots.
motion::NoiseFloor noFloor(size_t cameras);

/// A comparison of points with the truth. The nearest point within a radius of a marker is right,
/// and all other points are ghosts.
struct Agreement {
  size_t right = 0, ghosts = 0, missed = 0;
  double squares = 0;  ///< The sum of the squared errors of the right ones, mm^2.
};
/// Compares `found` with `truth`. A marker without a point counts as missed only if `wanted` is
/// true for it. `radius` is in mm.
Agreement agreement(const Places& found, const Places& truth, const std::vector<bool>& wanted,
                    double radius = 10);

/// Finds points in the way of simple hobby systems. For each dot of the first camera it takes the
/// dots of every other camera within 5 px of its epipolar line, tries all combinations, and keeps
/// the point with the smallest reprojection error. A dot may be used several times.
Places naivePoints(const motion::Rig& rig, const motion::SpaceSet& set);

}  // namespace glint::test
