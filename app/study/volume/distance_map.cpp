#include "app/study/volume/distance_map.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace glint::study {
namespace {

using shared::kNoDistance;

/// Returns the bytes of one value for each voxel, which `make` returns for the index of the voxel.
template <class Value, class Make>
std::vector<std::byte> fill(size_t voxels, const Make& make) {
  std::vector<std::byte> bytes(voxels * sizeof(Value));
  for (size_t i = 0; i < voxels; ++i) {
    const Value value = make(i);
    std::memcpy(bytes.data() + i * sizeof(Value), &value, sizeof(Value));
  }
  return bytes;
}

// Converts a distance of the transform into the unit of the spacing, or into steps in voxels.
double toDistance(uint32_t value, const gpu::DistanceOptions& options) {
  if (value == kNoDistance) return std::numeric_limits<double>::infinity();
  if (options.metric == gpu::Metric::chamfer345) return value / 3.0;
  if (options.metric != gpu::Metric::euclidean) return value;
  const double squared =
      options.floats() ? double{std::bit_cast<float>(value)} : static_cast<double>(value);
  return std::sqrt(squared) * options.unit();
}

/// True if a voxel is inside in a map with a sign, so that its distance is negative.
bool isInside(const DistanceMap& map, size_t index) {
  return map.side == DistanceSide::both && map.from.values[index] == 0;
}

int32_t signedInteger(const DistanceMap& map, size_t index) {
  const bool inside = isInside(map, index);
  const uint32_t value = inside ? map.within.values[index] : map.from.values[index];
  const auto size = value == kNoDistance ? INT32_MAX : static_cast<int32_t>(value);
  return inside ? -size : size;
}

// Returns a volume without voxels, with the shape of `map` and the placement of `like`.
VolumeData placedLike(const VolumeData& like, const DistanceMap& map) {
  VolumeData volume;
  volume.shape = map.shape;
  volume.spacing = like.spacing;
  volume.axes = like.axes;
  volume.placement = like.placement;
  return volume;
}

}  // namespace

Features findFeatures(const VolumeData& volume, const FeatureRule& rule) {
  const gpu::VolumeShape& shape = volume.shape;
  Features features;
  features.bits.assign(size_t{shape.words()} * shape.rows(), 0);
  const auto counts = [&](double value) {
    if (!rule.labels) return value > rule.threshold;
    return rule.label ? value == *rule.label : value != 0 && !std::isnan(value);
  };
  withVoxels(volume, [&](const auto voxels) {
    for (size_t row = 0; row < shape.rows(); ++row) {
      for (size_t x = 0; x < shape.width; ++x) {
        const auto value = static_cast<double>(voxels[row * shape.width + x]);
        features.nans += std::isnan(value) ? 1 : 0;
        if (!counts(value)) continue;
        features.bits[row * shape.words() + x / 32] |= 1U << x % 32;
        ++features.count;
      }
    }
  });
  return features;
}

double DistanceMap::at(size_t index) const {
  if (!isInside(*this, index)) return toDistance(from.values[index], options);
  return -toDistance(within.values[index], options);
}

std::optional<size_t> DistanceMap::farthest() const {
  std::optional<size_t> best;
  double most = -1;
  for (size_t i = 0; i < shape.voxels(); ++i) {
    const double distance = std::abs(at(i));
    if (!(distance > most) || !std::isfinite(distance)) continue;
    most = distance;
    best = i;
  }
  return best;
}

DistanceMap mapDistances(const gpu::Device& device, const VolumeData& volume,
                         const Features& features, DistanceSide side,
                         const gpu::DistanceOptions& options, const gpu::VolumeProgress& progress) {
  DistanceMap map{volume.shape, side, options, {}, {}};
  const bool two = side == DistanceSide::both;
  const auto kernels = std::make_shared<gpu::KernelStore>(device);
  const auto transform = [&](bool invert, double first, double share) {
    gpu::DistanceOptions one = options;
    one.invert = invert;
    const auto report = [&](double done) { return !progress || progress(first + share * done); };
    return gpu::transformVolume(device, volume.shape, features.bits, one, report, SIZE_MAX,
                                kernels);
  };
  map.from = transform(side == DistanceSide::inside, 0, two ? 0.5 : 1);
  if (two) map.within = transform(true, 0.5, 0.5);
  return map;
}

VoxelType typeOfMap(DistanceForm form, DistanceSide side, const gpu::DistanceOptions& options) {
  const bool both = side == DistanceSide::both;
  if (form == DistanceForm::floats) return VoxelType::f32;
  if (form == DistanceForm::integers && options.floats())
    throw UsageError(
        "squared distances are integers only where the spacing is the same along all axes; write "
        "--as float");
  if (form == DistanceForm::scaled && both)
    throw UsageError("--as scaled has no sign; write --as float with --signed");
  if (form == DistanceForm::scaled) return VoxelType::u16;
  return both ? VoxelType::i32 : VoxelType::u32;
}

VolumeData toVolume(const DistanceMap& map, DistanceForm form, const VolumeData& like) {
  VolumeData volume = placedLike(like, map);
  volume.type = typeOfMap(form, map.side, map.options);
  const size_t voxels = map.shape.voxels();
  if (volume.type == VoxelType::f32) {
    volume.bytes = fill<float>(voxels, [&](size_t i) { return static_cast<float>(map.at(i)); });
  } else if (volume.type == VoxelType::u16) {
    const auto farthest = map.farthest();
    const double most = farthest ? map.at(*farthest) : 0;
    const double scale = most > 0 ? 65535 / most : 1;
    volume.bytes = fill<uint16_t>(voxels, [&](size_t i) {
      return static_cast<uint16_t>(std::min(65535.0, std::round(map.at(i) * scale)));
    });
  } else if (volume.type == VoxelType::i32) {
    volume.bytes = fill<int32_t>(voxels, [&](size_t i) { return signedInteger(map, i); });
  } else {
    volume.bytes = fill<uint32_t>(voxels, [&](size_t i) { return map.from.values[i]; });
  }
  return volume;
}

VolumeData nearestVolume(const DistanceMap& map, const VolumeData& like) {
  VolumeData volume = placedLike(like, map);
  volume.type = VoxelType::u32;
  volume.bytes = fill<uint32_t>(map.shape.voxels(), [&](size_t i) { return map.from.nearest[i]; });
  return volume;
}

}  // namespace glint::study
