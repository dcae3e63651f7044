// Finds, measures and ranks the connected components of a response plane (detect.method = "blobs").
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/passes.h"
#include "shared/blobs.h"

namespace glint::gpu {

/// The conditions for a blob to become a marker.
struct BlobSelection {
  uint32_t maxMarkers = 1;     ///< most markers per layer
  double separation = 1;       ///< px, least distance of two markers
  double minRadius = 0;        ///< px, least radius of the disc with the blob's area
  double maxRadius = 65536;    ///< px, greatest radius of this disc
  double maxEccentricity = 1;  ///< greatest eccentricity of the blob's pixels
  double minMass = 0;          ///< least sum of the response above the threshold, counts
  uint32_t fullScale = 255;    ///< value of a saturated pixel
  bool split = true;           ///< true: blobs of several markers are cut; false: only flagged
};

/// Kernels and buffers for planes of one shape. docs/detection.md defines a blob.
class Blobs {
 public:
  static constexpr uint32_t kFirstCapacity = 16384;  ///< room for blobs per layer at first, 2 MB

  Blobs(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers);

  /// Records the search for blobs, according to the thresholds in `feedback` (shared::Feedback). It
  /// writes one shared::LayerResult per layer to `results`. It writes `maxMarkers`
  /// shared::Detection per layer to `found`, in order of rank, of which LayerResult::markers are
  /// valid. If a layer has too many blobs, it gets LayerResult::unresolved and no markers. The
  /// caller must then grow() and record the frame again. If `groups` is not null, the markers of
  /// the fullest layer are counted there.
  void record(Recorder& recorder, const Plane& response, const PixelMask& mask,
              const Buffer& feedback, const BlobSelection& selection, const Buffer& results,
              const Buffer& found, const Buffer* groups = nullptr) const;

  /// Makes room for twice as many blobs. Returns false if the device does not allow it. Nothing may
  /// be in flight.
  bool grow();

  /// Return the buffers from which the component of every pixel can be read. The bitmap has one bit
  /// per pixel of the foreground, in rows of ceil(width / 32) words. For the run that starts at bit
  /// i of word w, the word 16 w + i / 2 of the parents is kNumbered | the number of its component.
  const Buffer& bitmap() const { return bitmap_; }
  const Buffer& parents() const { return parents_; }

  /// Return one shared::BlobCounts per layer, and `capacity` shared::Blob per layer by their
  /// number.
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
  uint32_t group_, splitGroup_, selectGroup_;  // invocations of a workgroup
  uint32_t capacity_ = 0;                      // room for blobs per layer
  Kernel mark_, markMasked_, unite_, number_, measure_, finish_, split_, select_, selectMany_;
  Buffer bitmap_, occupied_, parents_, counts_;
  std::optional<Buffer> blobs_, keys_, suspects_;
};

}  // namespace glint::gpu
