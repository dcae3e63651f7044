// Connected components of a response plane, measured and ranked: detect.method = "blobs".
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/passes.h"
#include "shared/blobs.h"

namespace glint::gpu {

/// Which blobs become markers.
struct BlobSelection {
  uint32_t maxMarkers = 1;     ///< a layer
  double separation = 1;       ///< px
  double minRadius = 0;        ///< px, of the disc of the blob's area
  double maxRadius = 65536;    ///< px
  double maxEccentricity = 1;  ///< of the blob's pixels
  double minMass = 0;          ///< response above the threshold, summed
  uint32_t fullScale = 255;    ///< value of a saturated pixel
  bool split = true;           ///< cut blobs that are several markers, which else are only flagged
};

/// Kernels and buffers for planes of one shape. See docs/detection.md for what a blob is.
class Blobs {
 public:
  static constexpr uint32_t kFirstCapacity = 16384;  ///< blobs a layer at first: 2 MB

  Blobs(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers);

  /// Finds the blobs by the thresholds in `feedback` (shared::Feedback) and writes one
  /// shared::LayerResult a layer into `results` and `maxMarkers` shared::Detection a layer into
  /// `found`, LayerResult::markers of them valid, in order of rank. A layer with more blobs than
  /// there is room for has LayerResult::unresolved set and no markers: then grow() and record the
  /// frame again. `groups`: if not null, where the fullest layer's markers are counted.
  void record(Recorder& recorder, const Plane& response, const PixelMask& mask,
              const Buffer& feedback, const BlobSelection& selection, const Buffer& results,
              const Buffer& found, const Buffer* groups = nullptr) const;

  /// Makes room for twice as many blobs; false if the device allows no more. Nothing may be in
  /// flight.
  bool grow();

  /// Where every pixel's component can be read: the foreground, one bit a pixel in rows of
  /// ceil(width / 32) words, and for the run that starts at bit i of word w, at 16 w + i / 2,
  /// kNumbered | the number of its component.
  const Buffer& bitmap() const { return bitmap_; }
  const Buffer& parents() const { return parents_; }

  /// shared::BlobCounts of each layer, and `capacity` shared::Blob a layer by their number.
  const Buffer& counts() const { return counts_; }
  const Buffer& measured() const { return *blobs_; }
  uint32_t capacity() const { return capacity_; }

 private:
  void makeRoom(uint32_t capacity);
  shared::BlobsParams params(const PixelMask& mask, const BlobSelection& selection) const;
  Extent columns() const;
  const Kernel& select() const;
  uint32_t selectDispatches(uint32_t maxMarkers) const;

  const Device& device_;
  shared::PlaneShape shape_;
  uint32_t layers_;
  bool cpu_;
  uint32_t group_, splitGroup_, selectGroup_;  // invocations
  uint32_t capacity_ = 0;                      // blobs a layer
  Kernel mark_, markMasked_, unite_, number_, measure_, finish_, split_, select_, selectMany_;
  Buffer bitmap_, occupied_, parents_, counts_;
  std::optional<Buffer> blobs_, keys_, suspects_;
};

}  // namespace glint::gpu
