// Runs the blobs on images, and reads back everything they measure.
#pragma once

#include <vector>

#include "gpu/detect/blobs.h"
#include "tests/gpu/blob_reference.h"
#include "tests/gpu/rig.h"

namespace glint::test {

/// The blobs of one layer.
struct LayerBlobs {
  uint32_t components = 0;
  std::vector<shared::Detection> markers;
  std::vector<reference::Blob> all;  ///< components in order of their first pixel, without centres
  std::vector<uint32_t> labels;      ///< the label of every pixel: 0 is background, i + 1 is all[i]
};

/// The kernels for images of one format.
class BlobRig {
 public:
  BlobRig(const gpu::ImageFormat& format, uint32_t layers);

  /// Finds blobs. If there is not enough room, runs again with more.
  std::vector<LayerBlobs> find(const std::vector<reference::Image>& images, uint32_t threshold,
                               const gpu::BlobSelection& selection);

 private:
  gpu::Blobs blobs_;
};

}  // namespace glint::test
