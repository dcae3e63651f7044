// Computes distance transforms of volumes on the device: for every voxel the distance to the
// nearest feature.
#pragma once

#include <memory>
#include <optional>

#include "gpu/buffer.h"
#include "gpu/recorder.h"
#include "gpu/volume/passes.h"
#include "gpu/volume/volume.h"

namespace glint::gpu {

/// Transforms volumes of one shape that lie in the device's memory as a whole.
///
/// A distance is one 32-bit word per voxel, in raster order without padding; all words are
/// kNoDistance if there is no feature. The words are
/// - for euclidean distances with equal spacings: the squared distance in voxels, exact, at most
///   3 * 4095^2;
/// - for euclidean distances with different spacings: the bits of a float, the squared distance in
///   units of options.unit()^2; its root is right to 1e-6;
/// - for the other metrics: the least sum of steps, exact: the fixed point of D(p) = 0 at features,
///   elsewhere the minimum over the 26 neighbours q of D(q) + the weight of the step.
class DistanceTransform {
 public:
  /// Throws UsageError as checkDistance() does, and Error where the device has no room. Beside the
  /// buffers that are given to record(), euclidean distances need two words per voxel if the depth
  /// is above 1, otherwise one, and one more with options.nearest; the other metrics need none. All
  /// need two words more for every 32 voxels. `kernels`: see DistancePasses.
  DistanceTransform(const Device& device, const VolumeShape& shape, const DistanceOptions& options,
                    std::shared_ptr<KernelStore> kernels = nullptr);

  /// Returns the bytes of the features: one bit per voxel, rows padded to 32-bit words.
  size_t featureBytes() const { return sizeof(uint32_t) * shape_.words() * shape_.rows(); }
  /// Returns the bytes of the distances: one word per voxel.
  size_t valueBytes() const { return sizeof(uint32_t) * shape_.voxels(); }

  /// Records a pass that makes `features` from `bytes`: one byte per voxel without padding (a
  /// multiple of 4 bytes in all), which is not 0 in features.
  void pack(Recorder& recorder, const Buffer& bytes, const Buffer& features) const;

  /// Records the transform. `features`, of featureBytes(): bit x % 32 of word x / 32 of a row is
  /// voxel x; bits beyond the width are ignored. `distances`, of valueBytes(), are written.
  /// `nearest`, of valueBytes(), must be given with options.nearest and only then: the raster index
  /// of the nearest feature (the lowest of several), kNoDistance if there is none. Passes recorded
  /// before and after may use all three buffers.
  void record(Recorder& recorder, const Buffer& features, const Buffer& distances,
              const Buffer* nearest = nullptr) const;

  /// Returns how often the volume is swept for distances that are counted in steps; 0 for euclidean
  /// distances, which take one pass per axis. The number depends on metric and shape alone.
  uint32_t sweeps() const { return sweeps_; }

 private:
  VolumeShape shape_;
  DistanceOptions options_;
  DistancePasses passes_;
  uint32_t sweeps_;
  Buffer records_;
  std::optional<Buffer> links_, planes_, sites_;
};

/// Returns the number of sweeps that a transform takes for a shape and a metric.
uint32_t countSweeps(const VolumeShape& shape, Metric metric);

}  // namespace glint::gpu
