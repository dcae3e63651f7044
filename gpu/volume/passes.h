// Runs the kernels of the distance transforms with their buffers and extents: one function for each
// pass.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/buffer.h"
#include "gpu/kernel_store.h"
#include "gpu/recorder.h"
#include "gpu/volume/volume.h"

namespace glint::gpu {

/// The kernels for distances in volumes of one width, height and depth, and in parts of them. A
/// caller that transforms volumes as a whole or in slabs records the passes in the order in which
/// they stand here. In each function, `shape` is the shape of the part.
class DistancePasses {
 public:
  /// `kernels`: a store that several transforms share; null: the kernels are made for this object
  /// alone. `device` must outlive the object. Throws Error if the device refuses a kernel, and for
  /// distances counted in steps if the width is more than four times the invocations that a
  /// workgroup may have.
  DistancePasses(const Device& device, const VolumeShape& shape, const DistanceOptions& options,
                 std::shared_ptr<KernelStore> kernels = nullptr);

  /// Makes `bits` from `bytes`. `bytes`: one byte per voxel, without padding, which is not 0 in
  /// features. `bits`: one bit per voxel, rows padded to whole 32-bit words, x = 0 in the lowest
  /// bit.
  void pack(Recorder& recorder, const VolumeShape& shape, const Buffer& bytes,
            const Buffer& bits) const;

  /// Makes the records of rows, of recordBytes(), from `bits` as pack() makes them; bits beyond the
  /// width are ignored.
  void rows(Recorder& recorder, const VolumeShape& shape, const Buffer& bits,
            const Buffer& records) const;
  static size_t recordBytes(const VolumeShape& shape);

  /// Makes from `records` the squared distances within planes, one word per voxel, and with
  /// options.nearest the nearest features in the plane (`sites`: y << 16 | x). `links`: scratch of
  /// one word per voxel.
  void planes(Recorder& recorder, const VolumeShape& shape, const Buffer& records,
              const Buffer& links, const Buffer& distances, const Buffer* sites) const;

  /// Makes from the squared distances within planes, and with options.nearest from `sites`, the
  /// squared distances in the volume (`distances`) and the raster indices of the nearest features
  /// (`nearest`) in a volume of height `rasterHeight`. `links`: scratch of one word per voxel.
  /// `planes`, `links` and `distances` must be three different buffers, but with a depth of 1
  /// `planes` may be `distances`.
  void depth(Recorder& recorder, const VolumeShape& shape, uint32_t rasterHeight,
             const Buffer& planes, const Buffer* sites, const Buffer& links,
             const Buffer& distances, const Buffer* nearest) const;

  /// The direction in which distances are carried on from plane to plane.
  enum class Across { up, down, both };

  /// Makes from `records` the distances within planes, counted in steps.
  void sweepPlanes(Recorder& recorder, const VolumeShape& shape, const Buffer& records,
                   const Buffer& distances) const;
  /// Carries distances on into higher planes, lower ones or both, in place. After up and then down,
  /// or after both, they are the distances in the volume.
  void sweepAcross(Recorder& recorder, const VolumeShape& shape, const Buffer& distances,
                   Across across) const;

 private:
  /// One sweep's kernel, its first buffer, and its directions.
  struct Sweep {
    const Kernel* kernel;
    const Buffer* records;
    int dy, dz;
    Across across;
  };
  void run(Recorder& recorder, const VolumeShape& shape, const Buffer& distances,
           const Sweep& sweep) const;

  DistanceOptions options_;
  std::shared_ptr<KernelStore> kernels_;
  const Kernel &pack_, &rows_;
  const Kernel *planes_ = nullptr, *depth_ = nullptr;      // null unless the metric is euclidean
  const Kernel *firstSweep_ = nullptr, *sweep_ = nullptr;  // null if the metric is euclidean
};

}  // namespace glint::gpu
