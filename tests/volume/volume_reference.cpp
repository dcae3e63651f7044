#include "tests/volume/volume_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace glint::reference {
namespace {

using shared::kNoDistance;
constexpr double kFarAway = std::numeric_limits<double>::infinity();

struct Voxel {
  int x, y, z;
};

Voxel voxelAt(const gpu::VolumeShape& shape, size_t index) {
  return {static_cast<int>(index % shape.width),
          static_cast<int>(index / shape.width % shape.height),
          static_cast<int>(index / shape.width / shape.height)};
}

size_t indexOf(const gpu::VolumeShape& shape, int x, int y, int z) {
  return (static_cast<size_t>(z) * shape.height + static_cast<size_t>(y)) * shape.width +
         static_cast<size_t>(x);
}

FeatureVolume make(const std::string& name, const gpu::VolumeShape& shape,
                   const std::function<bool(const Voxel&)>& isFeature) {
  FeatureVolume volume{name + ", " + gpu::describe(shape), shape, {}};
  volume.voxels.resize(shape.voxels());
  for (size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = isFeature(voxelAt(shape, i)) ? 1 : 0;
  return volume;
}

/// Returns the squared spacings along x, y and z, in squares of the unit. They are 1 if the values
/// are integers.
std::array<double, 3> squares(const gpu::DistanceOptions& options) {
  if (!options.floats()) return {1, 1, 1};
  std::array<double, 3> all{};
  for (size_t i = 0; i < 3; ++i) all[i] = std::pow(options.spacing[i] / options.unit(), 2);
  return all;
}

bool isFeature(const FeatureVolume& volume, size_t index, bool invert) {
  return (volume.voxels[index] != 0) != invert;
}

Distances nothing(const gpu::VolumeShape& shape) {
  return {std::vector<uint32_t>(shape.voxels(), kNoDistance),
          std::vector<double>(shape.voxels(), kFarAway),
          std::vector<uint32_t>(shape.voxels(), kNoDistance)};
}

void round(Distances& distances) {
  for (size_t i = 0; i < distances.values.size(); ++i) {
    if (distances.squared[i] < kFarAway)
      distances.values[i] = static_cast<uint32_t>(std::llround(distances.squared[i]));
  }
}

/// Transforms one column: each voxel takes the best value of all voxels in it. Of equal values the
/// first one wins, which has the lowest raster index.
void transformColumn(Distances& d, size_t first, size_t stride, size_t length, double square) {
  const Distances old = [&] {
    Distances column;
    for (size_t i = 0; i < length; ++i) {
      column.squared.push_back(d.squared[first + i * stride]);
      column.nearest.push_back(d.nearest[first + i * stride]);
    }
    return column;
  }();
  for (size_t i = 0; i < length; ++i) {
    double best = kFarAway;
    for (size_t j = 0; j < length; ++j) {
      const double step = static_cast<double>(i) - static_cast<double>(j);
      const double there = old.squared[j] + square * step * step;
      if (!(there < best)) continue;
      best = there;
      d.squared[first + i * stride] = there;
      d.nearest[first + i * stride] = old.nearest[j];
    }
  }
}

uint32_t weightOf(gpu::Metric metric, int changed) {
  if (metric == gpu::Metric::chamfer345) return static_cast<uint32_t>(2 + changed);
  if (metric == gpu::Metric::cityblock && changed > 1) return kNoDistance;
  return 1;
}

/// Returns the smallest sum of steps between two voxels.
uint32_t stepsBetween(gpu::Metric metric, const Voxel& a, const Voxel& b) {
  std::array<int, 3> d{std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)};
  std::sort(d.begin(), d.end());
  if (metric == gpu::Metric::chamfer345) return static_cast<uint32_t>(3 * d[2] + d[1] + d[0]);
  return static_cast<uint32_t>(metric == gpu::Metric::chessboard ? d[2] : d[0] + d[1] + d[2]);
}

}  // namespace

std::vector<uint32_t> FeatureVolume::bits() const {
  std::vector<uint32_t> words(size_t{shape.words()} * shape.rows(), 0);
  for (size_t i = 0; i < voxels.size(); ++i) {
    const size_t x = i % shape.width;
    if (voxels[i] != 0) words[i / shape.width * shape.words() + x / 32] |= 1U << x % 32;
  }
  return words;
}

FeatureVolume randomVolume(uint32_t seed, uint32_t mostSide) {
  std::mt19937 random(seed);
  const auto side = [&] { return static_cast<uint32_t>(1 + random() % mostSide); };
  const gpu::VolumeShape shape{side(), side(), side()};
  // The density lies between one voxel in 16,384 and all but one in 16,384.
  const double density = std::exp2(-static_cast<double>(random() % 15));
  const bool most = random() % 2 != 0;
  const auto often = static_cast<uint32_t>(density * 4294967295.0);
  const uint32_t kind = seed % 16;
  return make("random " + std::to_string(seed), shape, [&](const Voxel&) {
    if (kind < 2) return kind == 0;
    return (random() <= often) != most;
  });
}

std::vector<FeatureVolume> adversarialVolumes(const gpu::VolumeShape& shape) {
  const int w = static_cast<int>(shape.width), h = static_cast<int>(shape.height),
            d = static_cast<int>(shape.depth);
  const auto ball = [=](const Voxel& v) {
    const int x = 2 * v.x - w, y = 2 * v.y - h, z = 2 * v.z - d;
    const int least = std::min({w, h, d > 1 ? d : w});
    return x * x + y * y + (d > 1 ? z * z : 0) < least * least / 2;
  };
  return {
      make("empty", shape, [](const Voxel&) { return false; }),
      make("full", shape, [](const Voxel&) { return true; }),
      make("first", shape, [](const Voxel& v) { return v.x + v.y + v.z == 0; }),
      make("last", shape,
           [=](const Voxel& v) { return v.x == w - 1 && v.y == h - 1 && v.z == d - 1; }),
      make("middle", shape,
           [=](const Voxel& v) { return v.x == w / 2 && v.y == h / 2 && v.z == d / 2; }),
      make("ball", shape, ball),
      make("hole", shape, [=](const Voxel& v) { return !ball(v); }),
      make("checkerboard", shape, [](const Voxel& v) { return (v.x + v.y + v.z) % 2 == 0; }),
      make("corners", shape,
           [=](const Voxel& v) {
             return v.x % std::max(w - 1, 1) + v.y % std::max(h - 1, 1) +
                        v.z % std::max(d - 1, 1) ==
                    0;
           }),
      make("slope", shape, [](const Voxel& v) { return v.x == v.y + v.z; }),
      make("diagonal", shape, [](const Voxel& v) { return v.x == v.y && v.y == v.z; }),
      make("planes", shape, [](const Voxel& v) { return v.z % 5 == 3; }),
      make("parabola", shape, [=](const Voxel& v) { return v.x == v.y * v.y / std::max(h, 1); }),
  };
}

Distances bruteEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options) {
  const auto square = squares(options);
  Distances all = nothing(volume.shape);
  for (size_t feature = 0; feature < volume.voxels.size(); ++feature) {
    if (!isFeature(volume, feature, options.invert)) continue;
    const Voxel to = voxelAt(volume.shape, feature);
    for (size_t i = 0; i < volume.voxels.size(); ++i) {
      const Voxel v = voxelAt(volume.shape, i);
      const double there = square[0] * (v.x - to.x) * (v.x - to.x) +
                           square[1] * (v.y - to.y) * (v.y - to.y) +
                           square[2] * (v.z - to.z) * (v.z - to.z);
      if (!(there < all.squared[i])) continue;
      all.squared[i] = there;
      all.nearest[i] = static_cast<uint32_t>(feature);
    }
  }
  round(all);
  return all;
}

Distances columnEuclidean(const FeatureVolume& volume, const gpu::DistanceOptions& options) {
  const auto square = squares(options);
  const gpu::VolumeShape& s = volume.shape;
  Distances all = nothing(s);
  for (size_t i = 0; i < volume.voxels.size(); ++i) {
    if (!isFeature(volume, i, options.invert)) continue;
    all.squared[i] = 0;
    all.nearest[i] = static_cast<uint32_t>(i);
  }
  const size_t plane = size_t{s.width} * s.height;
  for (size_t row = 0; row < s.rows(); ++row)
    transformColumn(all, row * s.width, 1, s.width, square[0]);
  for (size_t z = 0; z < s.depth; ++z) {
    for (size_t x = 0; x < s.width; ++x)
      transformColumn(all, z * plane + x, s.width, s.height, square[1]);
  }
  for (size_t i = 0; i < plane; ++i) transformColumn(all, i, plane, s.depth, square[2]);
  round(all);
  return all;
}

std::vector<uint32_t> fixedPoint(const FeatureVolume& volume, gpu::Metric metric) {
  const gpu::VolumeShape& s = volume.shape;
  std::vector<uint32_t> all(s.voxels(), kNoDistance);
  for (size_t i = 0; i < all.size(); ++i) {
    if (volume.voxels[i] != 0) all[i] = 0;
  }
  const auto fromNeighbours = [&](const Voxel& v, uint32_t best) {
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int changed = std::abs(dx) + std::abs(dy) + std::abs(dz);
          const int x = v.x + dx, y = v.y + dy, z = v.z + dz;
          const uint32_t weight = weightOf(metric, changed);
          if (changed == 0 || weight == kNoDistance || x < 0 || y < 0 || z < 0 ||
              x >= static_cast<int>(s.width) || y >= static_cast<int>(s.height) ||
              z >= static_cast<int>(s.depth))
            continue;
          const uint32_t there = all[indexOf(s, x, y, z)];
          if (there != kNoDistance) best = std::min(best, there + weight);
        }
      }
    }
    return best;
  };
  for (bool changes = true; changes;) {
    changes = false;
    // Each round goes through all voxels forwards and then backwards.
    for (size_t n = 0; n < 2 * all.size(); ++n) {
      const size_t i = n < all.size() ? n : 2 * all.size() - 1 - n;
      const uint32_t best = fromNeighbours(voxelAt(s, i), all[i]);
      changes |= best != all[i];
      all[i] = best;
    }
  }
  return all;
}

std::vector<uint32_t> bruteSteps(const FeatureVolume& volume, gpu::Metric metric) {
  std::vector<uint32_t> all(volume.shape.voxels(), kNoDistance);
  for (size_t feature = 0; feature < all.size(); ++feature) {
    if (volume.voxels[feature] == 0) continue;
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = std::min(
          all[i], stepsBetween(metric, voxelAt(volume.shape, feature), voxelAt(volume.shape, i)));
  }
  return all;
}

}  // namespace glint::reference
