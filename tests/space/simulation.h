// Identical markers before a rig: what each camera sees, and the truth of it.
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

struct Viewing {
  double sigma = 0.1;  ///< px, of each coordinate; stated, too, with kSharedNoise in it
  double unseen = 0;   ///< share of dots that are not there
  double time = 0;     ///< s
  uint64_t frame = 0;
};

/// What the cameras see; `counts`: in how many cameras each marker has a dot.
motion::SpaceSet viewOf(const motion::Rig& rig, const Places& markers, const Viewing& viewing,
                        std::mt19937& random, std::vector<int>* counts = nullptr);

/// Anywhere in 3 x 3 x 2 m about the origin.
Places anywhere(size_t count, std::mt19937& random);

/// Markers that swing about in the same volume: up to 2 m/s and 10 m/s^2.
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

/// A body of four markers about 100 mm apart that fits onto itself in one way only, known exactly.
motion::Body fourMarkers(std::string name = "four");

/// A pose of a body: world = rotation * at + place.
struct BodyPose {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d place;
  Eigen::Vector3d operator*(const Eigen::Vector3d& at) const { return rotation * at + place; }
};
BodyPose anyPose(std::mt19937& random);
Places placesOf(const motion::Body& body, const BodyPose& pose);

/// The rig with every pose turned by `degrees` and shifted by `mm`, each along any axis.
motion::Rig disturbed(motion::Rig rig, double degrees, double mm, std::mt19937& random);

/// Returns a noise floor that has learned that there is none.
motion::NoiseFloor noFloor(size_t cameras);

/// How points agree with the truth: each marker's nearest one within `radius` mm is right.
struct Agreement {
  size_t right = 0, ghosts = 0, missed = 0;
  double squares = 0;  ///< mm^2, of the right ones
};
/// `wanted` of each marker: whether it counts as missed.
Agreement agreement(const Places& found, const Places& truth, const std::vector<bool>& wanted,
                    double radius = 10);

/// What hobby systems do: of each dot of the first camera all dots of the others within 5 px of its
/// epipolar line, in all combinations, and of these the one of the least reprojection error; dots
/// are used as often as they come.
Places naivePoints(const motion::Rig& rig, const motion::SpaceSet& set);

}  // namespace glint::test
