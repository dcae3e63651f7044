// The passes of detection. Each function records one pass: a kernel with its buffers, parameters
// and extent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/crowd.h"
#include "gpu/frame.h"
#include "gpu/kernel.h"
#include "gpu/kernel_store.h"
#include "gpu/recorder.h"
#include "gpu/rehearsal.h"
#include "shared/params.h"
#include "shared/plane.h"

namespace glint::gpu {

/// A plane of pixels in a buffer, with one or more layers. It has one channel, or interleaved
/// colour.
struct Plane {
  const Buffer* buffer = nullptr;
  shared::PlaneShape shape{};
  uint32_t layers = 1;
};

class Passes;

/// Returns the least dx * dx + dy * dy, with whole dx and dy, of two places that are `separation`
/// px or more apart.
uint32_t squaredUp(double separation);

/// Returns the largest offset along one axis, px, of two places that are too near to each other.
uint32_t reachOf(uint32_t separationUp);

/// Memory for the results of `scan`: partial statistics, and the list of candidates.
struct ScanMemory {
  ScanMemory(const Device& device, const Passes& passes, const shared::PlaneShape& shape,
             uint32_t layers);
  Buffer parts;  ///< shared::PlaneStatistics of every workgroup
  Buffer list;   ///< kMaxListed shared::Candidate per layer
  /// One LayerResult per layer, for this frame and for the next one. `scan` counts candidates in
  /// `counts`, which must be zero, and sets `next` to zero.
  Buffer counts, next;
  Buffer sums;  ///< memory of statisticsAtOnce(), zero between passes
  Buffer post;  ///< candidates for waiting passes (shaders/post.glsl), zero between passes
  Buffer late;  ///< one word, which is not 0 after a workgroup gave up waiting for `scan`
  /// On a CPU: the number of workgroups that refineListed() needs along x, y and z. `scan` counts
  /// those along x, starting from zero.
  Buffer groups;
};

/// Working memory of resolveMany(): a hash table of all candidates, their states, and the accepted
/// ones.
struct ResolveMemory {
  ResolveMemory(const Device& device, uint32_t layers);
  Buffer heads, links, states, accepted, counts;
};

/// A mask on the device: one bit per pixel, which is 1 if the pixel counts. Rows are padded to
/// whole 32-bit words, and layers follow one another. Without a buffer all pixels count.
struct PixelMask {
  const Buffer* buffer = nullptr;
  uint32_t pitch = 0;  ///< 32-bit words from one row to the next
};

/// Options of `scan`.
struct ScanOptions {
  /// False promises that no layer's feedback has a prominence, which makes `scan` faster.
  bool prominence = true;
  /// The number of candidates per layer that `scan` hands to waiting passes as soon as it finds
  /// them. These passes get `scanners` as an argument, and may run at the same time as `scan`. 0:
  /// no pass waits for candidates. It must be 0 with Device::wideLoads().
  uint32_t posted = 0;
};

/// Limits for accepting candidates as peaks.
struct Selection {
  uint32_t maxMarkers = 1;  ///< most peaks per layer
  double separation = 1;    ///< px, least distance of two peaks
};

/// Options of `refine`.
struct Refinement {
  bool enabled = true;       ///< false: peaks are reported at their pixel, without a fit
  uint32_t radius = 0;       ///< px, radius of the fit's window; 0: it follows from the marker
  uint32_t fullScale = 255;  ///< value of a saturated pixel of the plane
  float longest = 1e9F;      ///< see shared::RefineParams
  float largest = 1e9F;      ///< px, largest extent that is fitted
  bool elongated = false;    ///< true: the model suits markers that are much longer than wide
  /// True: `refine` knows all peaks and flags second peaks of large objects itself, so
  /// leaveOutSeconds() need not be called.
  bool seconds = false;
};

/// The input of refineFound().
struct FoundMemory {
  enum class What {
    peaks,        ///< shared::Candidate in any order
    rankedPeaks,  ///< shared::Candidate in order of rank
    peaksByX,     ///< as rankedPeaks, followed by a copy of all layers' peaks, sorted by x
    blobs         ///< shared::Detection in order of rank
  };
  What what = What::peaks;
  const Buffer& results;  ///< shared::LayerResult of each layer
  const Buffer& found;    ///< `maxMarkers` per layer, of which LayerResult::markers are valid
  const Buffer* groups = nullptr;  ///< number of workgroups, see FrameMemory; null: not known
};

/// A range of ranks: `count` peaks from the rank `first` on.
struct Ranks {
  uint32_t first = 0;
  uint32_t count = ~0U;
};

class Passes {
 public:
  /// Makes the kernels for planes with pixels of `bits` (8 or 16) bits. `device` must outlive it.
  /// All detectors of a device share one object (Device::shared()).
  Passes(const Device& device, uint32_t bits);

  /// Makes the kernels for frames with a mask. Otherwise they are made for the first such frame.
  void prepareMasks() const;

  void luminance(Recorder& recorder, const Plane& color, const Plane& grey) const;
  void invert(Recorder& recorder, const Plane& luminance, const Plane& response) const;

  /// Computes the statistics of the pixels that count, and writes one shared::PlaneStatistics per
  /// layer to `result`. If `samples` is not null, it also writes the samples of sampleGrid() there,
  /// with room for kMaxSamples words per layer. These are every sampleStep()-th pixel of every
  /// sampleStep()-th row, starting at sampleStep() / 2, row by row. A pixel that does not count
  /// gives ~0.
  void statistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                  const Buffer& feedback, const ScanMemory& memory, const Buffer& result,
                  const Buffer* samples = nullptr) const;

  /// Does the same in one dispatch, for planes of bytes without a mask. This is faster on a GPU.
  void statisticsAtOnce(Recorder& recorder, const Plane& plane, const ScanMemory& memory,
                        const Buffer& result, const Buffer* samples = nullptr) const;

  /// Returns true if the host can merge the partial statistics that statisticsParts() or scan()
  /// writes. This is so on a CPU, for planes that the host can read, and without a mask.
  bool mergesOnHost(const Plane& plane, const PixelMask& mask) const;

  /// Records the first step of statistics(): partial statistics in memory.parts.
  void statisticsParts(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                       const Buffer& feedback, const ScanMemory& memory) const;
  /// Merges on the host the partial statistics of all layers, after statisticsParts() or scan() has
  /// been executed.
  void mergeOnHost(const Plane& plane, const ScanMemory& memory, const Buffer& result) const;
  /// Takes the samples of one layer on the host.
  void sampleOnHost(const Plane& plane, uint32_t layer, const Buffer& samples) const;

  /// Lists the candidates in memory.list according to the thresholds in `feedback`. Also writes
  /// partial statistics to memory.parts, which mergeStatistics() merges.
  void scan(Recorder& recorder, const Plane& response, const PixelMask& mask,
            const Buffer& feedback, const ScanMemory& memory,
            const ScanOptions& options = {}) const;
  /// Returns the number of workgroups per layer that scan() runs.
  uint32_t scanners(const Plane& response) const;
  /// Merges the partial statistics of scan(). For `result` and `samples` see statistics(). If
  /// `scanners` is not 0, the pass may run at the same time as scan().
  void mergeStatistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                       const ScanMemory& memory, const Buffer& result,
                       const Buffer* samples = nullptr, uint32_t scanners = 0) const;

  /// Selects peaks from the list, and writes them to `found` in any order: `maxMarkers`
  /// shared::Candidate per layer, of which LayerResult::markers are valid. Layers with too many
  /// candidates get LayerResult::unresolved, and resolveMany() or the host must select their peaks.
  /// If `groups` is not null, the pass counts there the peaks of the fullest layer. If `scanners`
  /// is not 0, it may run at the same time as scan().
  void resolve(Recorder& recorder, const ScanMemory& memory, uint32_t layers,
               const Selection& selection, const Buffer& results, const Buffer& found,
               const Buffer* groups = nullptr, uint32_t scanners = 0) const;

  /// Does the same for up to kMaxListed candidates, with many workgroups. On a CPU it is so slow
  /// that only tests use it.
  void resolveMany(Recorder& recorder, const ScanMemory& memory, const ResolveMemory& own,
                   uint32_t layers, const Selection& selection, const Buffer& results,
                   const Buffer& found) const;

  /// Measures peaks or blobs, and writes `maxMarkers` shared::Detection per layer to `markers`, in
  /// order of rank. Copies the results of the layers to `outcome`, which the host reads, because
  /// found.results is memory for kernels. On a CPU only peaks with the given `ranks` are measured
  /// and written; on other devices all are.
  void refineFound(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                   const Refinement& refinement, uint32_t maxMarkers, const FoundMemory& found,
                   const Buffer& outcome, const Buffer& markers, Ranks ranks = {}) const;

  /// Measures the first `maxMarkers` candidates of the list, whether they are accepted or not, and
  /// writes each shared::Detection at the candidate's index. It uses no result of `resolve`. If
  /// `scanners` is not 0, it may run at the same time as scan().
  void refineListed(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                    const Refinement& refinement, uint32_t maxMarkers, const ScanMemory& memory,
                    const Buffer& markers, uint32_t scanners = 0) const;

  /// Returns true if refineListed() starts only as many workgroups as there are candidates, and at
  /// most kMostCounted. It then does not fit large objects, because most of their peaks are second
  /// peaks, but flags them kFlagSecond.
  bool countsListed() const { return countsListed_; }

  /// Measures the picture of a rehearsal. It must be recorded before the upload of the frame.
  void rehearse(Recorder& recorder, const Buffer& feedback, const Rehearsal& own) const;

  /// Measures `count` groups of near markers (shared::NearMarkers in `near`), and writes one
  /// shared::Detection for each group to `readback`. Its sigmaX is 0 if the first marker of the
  /// group is no marker of its own beside the others. The flag kFlagExpected is never set.
  void refineNear(Recorder& recorder, const Plane& plane, const Refinement& refinement,
                  uint32_t count, const Buffer& near, const Buffer& readback) const;

 private:
  friend struct ScanMemory;

  /// The division of a plane among the invocations of `scan`.
  struct ScanWork {
    uint32_t rowsPerThread;
    Extent extent;   // invocations
    uint32_t parts;  // workgroups per layer
  };
  /// A variant of the kernel `scan`.
  struct ScanVariant {
    bool seeks = false;       // true: it also lists candidates
    bool masked = false;      // true: only pixels whose bit in the mask is set count
    bool prominence = false;  // true: a layer may have a prominence
    bool bytes = false;       // true: it handles the four bytes of a word at once
  };
  /// A variant of the kernel `refine`.
  struct RefineVariant {
    bool listed = false;     // true: it only measures listed candidates
    bool elongated = false;  // true: its model suits markers that are much longer than wide
  };
  /// The three steps of `resolve_many`, each a kernel of its own.
  enum class ManyStep : uint32_t { hash, decide, handOver };

  KernelPlan luminancePlan() const;
  KernelPlan invertPlan() const;
  KernelPlan scanPlan(const ScanVariant& variant) const;
  KernelPlan statisticsPlan() const;
  KernelPlan mergePlan(bool masked) const;
  KernelPlan resolvePlan() const;
  KernelPlan resolveManyPlan(ManyStep step) const;
  KernelPlan refinePlan(const RefineVariant& variant) const;
  KernelPlan refineNearPlan() const;

  bool countsBytes(const Plane& plane) const;
  ScanWork scanWork(const shared::PlaneShape& shape, uint32_t layers, bool seeks) const;
  Extent refineExtent(const Plane& plane, uint32_t maxMarkers) const;
  void runScan(Recorder& recorder, const ScanVariant& variant, const Plane& plane,
               const PixelMask& mask, const Buffer& feedback, const ScanMemory& memory,
               uint32_t posted) const;
  void mergeParts(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                  const ScanMemory& memory, const Buffer& result, const Buffer* samples,
                  uint32_t parts, uint32_t scanners) const;

  const Device& device_;
  uint32_t bits_;  // bits of a pixel
  bool cpu_;
  bool bytesAtOnce_;                               // kernels may handle the bytes of a word at once
  bool countsListed_;                              // see countsListed()
  uint32_t scanGroup_, mergeGroup_, refineGroup_;  // invocations of a workgroup
  KernelStore kernels_;
};

}  // namespace glint::gpu
