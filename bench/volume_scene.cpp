#include "bench/volume_scene.h"

#include <algorithm>
#include <cmath>

namespace glint::bench {
namespace {

/// The random numbers of splitmix64 (Steele, Lea and Flood 2014).
class SplitMix {
 public:
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// Returns a number from -1 to 1.
  double symmetric() { return static_cast<double>(next() >> 11) / 4503599627370496.0 - 1; }

 private:
  uint64_t state_ = 1;
};

using Point = std::array<double, 3>;

class Cube {
 public:
  explicit Cube(uint32_t side) : side_(side), voxels_(size_t{side} * side * side, 0) {}

  /// Sets the voxels within `radius` of `centre`, and the voxel nearest to `centre`.
  void addBall(const Point& centre, double radius) {
    std::array<int64_t, 3> from{}, to{};
    for (size_t i = 0; i < 3; ++i) {
      from[i] = std::max<int64_t>(0, std::llround(centre[i] - radius));
      to[i] = std::min<int64_t>(int64_t{side_} - 1, std::llround(centre[i] + radius));
    }
    for (int64_t z = from[2]; z <= to[2]; ++z) {
      for (int64_t y = from[1]; y <= to[1]; ++y) {
        for (int64_t x = from[0]; x <= to[0]; ++x) {
          const double dx = static_cast<double>(x) - centre[0];
          const double dy = static_cast<double>(y) - centre[1];
          const double dz = static_cast<double>(z) - centre[2];
          if (dx * dx + dy * dy + dz * dz <= std::max(radius * radius, 0.75)) set(x, y, z);
        }
      }
    }
  }

  void set(int64_t x, int64_t y, int64_t z) {
    voxels_[static_cast<size_t>((z * side_ + y) * side_ + x)] = 1;
  }

  std::vector<uint8_t> take() { return std::move(voxels_); }
  uint32_t side() const { return side_; }

 private:
  uint32_t side_;
  std::vector<uint8_t> voxels_;
};

/// Adds a tube that begins at `at`, bends at random, tapers, and ends in two branches of `levels` -
/// 1 levels. Lengths are in voxels.
void growVessel(Cube& cube, SplitMix& random, Point at, Point direction, double radius,
                int levels) {
  const double length = cube.side() * (0.1 + 0.05 * levels);
  const auto inside = [&](double v) { return v >= 0 && v <= cube.side() - 1.0; };
  for (double gone = 0; gone < length; gone += 0.5) {
    double norm = 0;
    for (double& d : direction) {
      d += 0.04 * random.symmetric();
      norm += d * d;
    }
    for (size_t i = 0; i < 3; ++i) at[i] += direction[i] *= 0.5 / std::sqrt(norm);
    for (double& d : direction) d *= 2;
    if (!std::all_of(at.begin(), at.end(), inside)) return;
    cube.addBall(at, radius * (1 - 0.3 * gone / length));
  }
  if (levels == 0) return;
  for (int branch = 0; branch < 2; ++branch) {
    Point turned = direction;
    for (double& d : turned) d += 0.9 * random.symmetric();
    growVessel(cube, random, at, turned, 0.7 * radius, levels - 1);
  }
}

}  // namespace

std::string describe(VolumeContent content) {
  static constexpr std::array kNames{"half at random", "filled ball", "one voxel", "vessels"};
  return kNames[static_cast<size_t>(content)];
}

std::vector<uint8_t> makeVolume(VolumeContent content, uint32_t side) {
  Cube cube(side);
  SplitMix random;
  const double middle = (side - 1) / 2.0;
  const auto third = static_cast<int64_t>(side / 3);
  if (content == VolumeContent::half) {
    auto voxels = cube.take();
    for (auto& voxel : voxels) voxel = static_cast<uint8_t>(random.next() >> 63);
    return voxels;
  }
  if (content == VolumeContent::ball) cube.addBall({middle, middle, middle}, side / 3.0);
  if (content == VolumeContent::single) cube.set(third, third + 1, third + 2);
  if (content == VolumeContent::vessels)
    growVessel(cube, random, {middle, middle, 0}, {0, 0, 1}, side / 32.0, 6);
  return cube.take();
}

}  // namespace glint::bench
