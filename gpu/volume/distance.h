// Distance transforms of volumes on the device: of every voxel the distance to the nearest feature.
#pragma once

#include <memory>
#include <optional>

#include "gpu/buffer.h"
#include "gpu/recorder.h"
#include "gpu/volume/passes.h"
#include "gpu/volume/volume.h"

namespace glint::gpu {

/// The transform of volumes of one shape that are on the device, with everything there at once.
///
/// Values are one 32-bit word a voxel, in raster order without padding, kNoDistance in all of them
/// if there is no feature:
/// - euclidean, isotropic: the squared distance in voxels, exact, at most 3 * 4095^2;
/// - euclidean, anisotropic: the bits of a float, the squared distance in options.unit();
///   its root is right to 1e-6;
/// - the others: the least sum of steps, exact: the fixed point of D(p) = min over the 26
/// neighbours q
///   of D(q) + the step's weight, 0 at features.
class DistanceTransform {
 public:
  /// Throws UsageError as checkDistance() does, and Error where the device has no room: euclidean
  /// needs two words a voxel beside the buffers that record() is given (four with
  /// options.nearest), one if depth is 1; the others none.
  DistanceTransform(const Device& device, const VolumeShape& shape, const DistanceOptions& options,
                    std::shared_ptr<KernelStore> kernels = nullptr);

  /// Bytes of one bit a voxel, rows padded to 32-bit words.
  size_t featureBytes() const { return sizeof(uint32_t) * shape_.words() * shape_.rows(); }
  /// Bytes of one word a voxel.
  size_t valueBytes() const { return sizeof(uint32_t) * shape_.voxels(); }

  /// Makes features of one byte a voxel, without padding (a multiple of 4 bytes in all), 0 or not.
  void pack(Recorder& recorder, const Buffer& bytes, const Buffer& features) const;

  /// `features`: featureBytes(), bit x % 32 of word x / 32 of a row is voxel x; bits beyond the
  /// width do not count. `distances`: valueBytes(). `nearest`: with options.nearest and only then,
  /// valueBytes(): the raster index of the nearest feature, of several the lowest, kNoDistance if
  /// there is none. All may be used by passes before and after.
  void record(Recorder& recorder, const Buffer& features, const Buffer& distances,
              const Buffer* nearest = nullptr) const;

  /// How often the volume is swept for distances counted in steps; 0 for euclidean ones, which take
  /// one pass an axis. It depends on metric and shape alone.
  uint32_t sweeps() const { return sweeps_; }

 private:
  VolumeShape shape_;
  DistanceOptions options_;
  DistancePasses passes_;
  uint32_t sweeps_;
  Buffer records_;
  std::optional<Buffer> links_, planes_, sites_;
};

/// How many sweeps the passes of a shape and a metric take.
uint32_t countSweeps(const VolumeShape& shape, Metric metric);

}  // namespace glint::gpu
