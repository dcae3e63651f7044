// The kernels of the distance transforms with their buffers and extents: one function a pass.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/buffer.h"
#include "gpu/kernel_store.h"
#include "gpu/recorder.h"
#include "gpu/volume/volume.h"

namespace glint::gpu {

/// Kernels for the distances of volumes, or parts of volumes, of one width, height and depth: what
/// transforms them whole or in slabs puts the passes in order.
class DistancePasses {
 public:
  /// `kernels`: a store that several transforms share; none: they are made for these passes alone.
  DistancePasses(const Device& device, const VolumeShape& shape, const DistanceOptions& options,
                 std::shared_ptr<KernelStore> kernels = nullptr);

  /// One byte a voxel, without padding, 0 or a feature -> bits, one a voxel: rows padded to whole
  /// 32-bit words, x = 0 in the lowest bit.
  void pack(Recorder& recorder, const VolumeShape& shape, const Buffer& bytes,
            const Buffer& bits) const;

  /// Bits, as above; those beyond the width do not count -> recordBytes() of records of rows.
  void rows(Recorder& recorder, const VolumeShape& shape, const Buffer& bits,
            const Buffer& records) const;
  static size_t recordBytes(const VolumeShape& shape);

  /// Records -> squared distances within planes, one word a voxel, and with options.nearest the
  /// features they are to, y << 16 | x. `links`: scratch of one word a voxel.
  void planes(Recorder& recorder, const VolumeShape& shape, const Buffer& records,
              const Buffer& links, const Buffer& distances, const Buffer* sites) const;

  /// Squared distances within planes, and the features they are to -> squared distances in the
  /// volume and raster indices in a volume of `rasterHeight`. Three different buffers.
  void depth(Recorder& recorder, const VolumeShape& shape, uint32_t rasterHeight,
             const Buffer& planes, const Buffer* sites, const Buffer& links,
             const Buffer& distances, const Buffer* nearest) const;

  /// Records -> distances within rows, in steps.
  void steps(Recorder& recorder, const VolumeShape& shape, const Buffer& records,
             const Buffer& distances) const;

  /// Distances within rows -> within planes.
  void sweepPlanes(Recorder& recorder, const VolumeShape& shape, const Buffer& distances) const;
  /// Then into higher planes (`dz` 1), and last into lower ones (`dz` -1).
  void sweepAcross(Recorder& recorder, const VolumeShape& shape, const Buffer& distances,
                   int dz) const;

 private:
  void sweep(Recorder& recorder, const VolumeShape& shape, const Buffer& distances, int dy,
             int dz) const;

  DistanceOptions options_;
  uint32_t sweepLanes_;
  std::shared_ptr<KernelStore> kernels_;
  const Kernel &pack_, &rows_;
  const Kernel *planes_ = nullptr, *depth_ = nullptr;  // euclidean
  const Kernel *steps_ = nullptr, *sweep_ = nullptr;   // the others
};

}  // namespace glint::gpu
