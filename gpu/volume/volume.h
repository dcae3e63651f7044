// The layout of a volume in memory, and the options of its distance transform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shared/distance.h"

namespace glint::gpu {

/// Voxels along x, y and z. Voxel (x, y, z) has the raster index (z * height + y) * width + x.
struct VolumeShape {
  uint32_t width = 1, height = 1, depth = 1;

  size_t rows() const { return size_t{height} * depth; }
  size_t voxels() const { return rows() * width; }
  /// 32-bit words of a row of bits.
  uint32_t words() const { return (width + 31) / 32; }

  bool operator==(const VolumeShape&) const = default;
};

/// "640 x 480 x 32"
std::string describe(const VolumeShape& shape);

/// Voxels along one side, at most: llvmpipe leaves the loops of a column after 65,535 iterations,
/// and eight columns that are worked on together may take nearly eight for every row.
inline constexpr uint32_t kMaxVolumeSide = 4096;

enum class Metric {
  euclidean,   ///< exact; squared, since that is an integer
  chamfer345,  ///< 3, 4 and 5 for a step to a neighbour across a face, an edge, a corner
  chessboard,  ///< 1 for each of them
  cityblock,   ///< 1 for a step across a face, no others
};

/// How euclidean distances along columns are found; both are exact.
enum class ColumnMethod {
  automatic,  ///< what is faster on the device
  envelope,   ///< one invocation a column, in time linear in its length
  /// All voxels of a column at once: for columns of up to 512 voxels, where the device has room for
  /// that; else `envelope` is taken.
  search
};

struct DistanceOptions {
  Metric metric = Metric::euclidean;
  /// Along x, y and z, > 0, in any unit. Of euclidean distances alone; where all three are equal
  /// they are not used, and squared distances are integers.
  std::array<double, 3> spacing{1, 1, 1};
  bool nearest = false;  ///< also the nearest feature's index; euclidean alone
  ColumnMethod columns = ColumnMethod::automatic;
  bool invert = false;  ///< features are the voxels whose bit is 0

  bool isotropic() const { return spacing[0] == spacing[1] && spacing[1] == spacing[2]; }
  /// Whether values are floats (else integers).
  bool floats() const { return metric == Metric::euclidean && !isotropic(); }
  /// What distances are in units of, where they are floats: spacings are divided by the largest.
  double unit() const;
};

/// Throws UsageError for a shape with a side of 0 or above kMaxVolumeSide or 2^32 - 1 voxels or
/// more, for spacings beyond 1e-30 to 1e30 or that differ by more than a factor of 1e6, and for
/// options that contradict each other.
void checkDistance(const VolumeShape& shape, const DistanceOptions& options);

}  // namespace glint::gpu
