// Defines the layout of a volume in memory, and the options of its distance transform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shared/distance.h"

namespace glint::gpu {

/// The number of voxels along x, y and z. Voxel (x, y, z) has the raster index (z * height + y) *
/// width + x.
struct VolumeShape {
  uint32_t width = 1, height = 1, depth = 1;

  size_t rows() const { return size_t{height} * depth; }
  size_t voxels() const { return rows() * width; }
  /// Returns the number of 32-bit words of a row with one bit per voxel.
  uint32_t words() const { return (width + 31) / 32; }

  bool operator==(const VolumeShape&) const = default;
};

/// Returns a text such as "640 x 480 x 32".
std::string describe(const VolumeShape& shape);

/// The largest number of voxels along one side. The limit is llvmpipe's, which leaves the loops of
/// a column after 65,535 iterations: eight columns that it works on together may take nearly eight
/// iterations for every row.
inline constexpr uint32_t kMaxVolumeSide = 4096;

enum class Metric {
  euclidean,   ///< the exact squared distance: with equal spacings an integer
  chamfer345,  ///< steps to a neighbour across a face count 3, an edge 4, a corner 5
  chessboard,  ///< steps across a face, an edge or a corner count 1
  cityblock,   ///< steps across a face count 1; there are no others
};

/// The methods to find euclidean distances along columns; all are exact.
enum class ColumnMethod {
  automatic,  ///< `search` except on CPUs
  envelope,   ///< one invocation per column, in time proportional to the column's length
  /// Many invocations per column, which search at the same time: for columns of up to 512 voxels,
  /// where the device has room for that; otherwise the same as `envelope`.
  search
};

struct DistanceOptions {
  Metric metric = Metric::euclidean;
  /// Distances between neighbouring voxels along x, y and z, > 0, in any unit; only for euclidean
  /// distances. If all three are equal they are not used, and squared distances are integers.
  std::array<double, 3> spacing{1, 1, 1};
  bool nearest = false;  ///< true to find the nearest features' indices, too; only if euclidean
  ColumnMethod columns = ColumnMethod::automatic;
  bool invert = false;  ///< true if features are the voxels whose bit is 0

  bool isotropic() const { return spacing[0] == spacing[1] && spacing[1] == spacing[2]; }
  /// Returns true if distances are floats, false if they are integers.
  bool floats() const { return metric == Metric::euclidean && !isotropic(); }
  /// Returns the unit of distances that are floats: the largest spacing, by which all are divided.
  double unit() const;
};

/// Throws UsageError if a side of the shape is 0 or above kMaxVolumeSide, if it has 2^32 - 1 voxels
/// or more, if a spacing is not within 1e-30 to 1e30, if spacings differ by more than a factor of
/// 1e6, or if options contradict each other.
void checkDistance(const VolumeShape& shape, const DistanceOptions& options);

}  // namespace glint::gpu
