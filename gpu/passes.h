// Every kernel with its buffers and its extent: one function a pass.
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

/// Layers of one-channel (or interleaved colour) pixels in a buffer.
struct Plane {
  const Buffer* buffer = nullptr;
  shared::PlaneShape shape{};
  uint32_t layers = 1;
};

class Passes;

/// The least dx * dx + dy * dy, in whole px, of what is `separation` px apart.
uint32_t squaredUp(double separation);

/// The largest offset along one axis, px, that is still too near.
uint32_t reachOf(uint32_t separationUp);

/// What `scan` hands on: partial statistics, and the list of candidates for `resolve`.
struct ScanMemory {
  ScanMemory(const Device& device, const Passes& passes, const shared::PlaneShape& shape,
             uint32_t layers);
  Buffer parts;  ///< shared::PlaneStatistics of every workgroup
  Buffer list;   ///< kMaxListed shared::Candidate a layer
  /// LayerResult::candidates of each layer, of this frame and of the next one. `scan` counts in the
  /// former, which must be zero, and clears the latter.
  Buffer counts, next;
  Buffer sums;  ///< of statistics alone, zero between passes
  Buffer post;  ///< candidates that others wait for (shaders/post.glsl), zero between passes
  Buffer late;  ///< a word: not 0 once somebody gave up waiting for `scan`
  /// On a CPU: how many workgroups refineListed() needs along x, y and z. `scan` counts those along
  /// x, from zero.
  Buffer groups;
};

/// What `resolveMany` works with: a hash of all candidates, what was decided, and the accepted
/// ones.
struct ResolveMemory {
  ResolveMemory(const Device& device, uint32_t layers);
  Buffer heads, links, states, accepted, counts;
};

/// Which pixels of a plane count: one bit each, 1 = counts, rows padded to whole 32-bit words,
/// layers one after another. No buffer: all of them.
struct PixelMask {
  const Buffer* buffer = nullptr;
  uint32_t pitch = 0;  ///< 32-bit words from one row to the next
};

/// How `scan` seeks candidates.
struct ScanOptions {
  /// False promises that no layer's feedback has a prominence, which makes `scan` faster.
  bool prominence = true;
  /// This many candidates a layer are told to the passes that are given `scanners`, as soon as they
  /// are found, so that these passes may run at the same time. 0: no pass waits for candidates.
  /// Kernels that read wide loads (Device::wideLoads()) cannot tell them.
  uint32_t posted = 0;
};

/// Which candidates are accepted as peaks.
struct Selection {
  uint32_t maxMarkers = 1;  ///< a layer
  double separation = 1;    ///< px
};

/// How `refine` measures.
struct Refinement {
  bool enabled = true;
  uint32_t radius = 0;       ///< px; 0: from the marker itself
  uint32_t fullScale = 255;  ///< value of a saturated pixel of the plane
  float longest = 1e9F;      ///< Detection::elongation: lines and edges are fitted up to that
  float largest = 1e9F;      ///< px, extent of what is fitted at most
  bool elongated = false;    ///< what is much longer than wide is fitted as such
  bool seconds = false;      ///< all peaks are at hand, so leaveOutSeconds() need not be called
};

/// What was found, where `refine` reads it.
struct FoundMemory {
  enum class What {
    peaks,        ///< shared::Candidate in any order
    rankedPeaks,  ///< shared::Candidate in order of rank
    peaksByX,     ///< the same; behind those of all layers they stand once more, by x
    blobs         ///< shared::Detection in order of rank
  };
  What what = What::peaks;
  const Buffer& results;           ///< shared::LayerResult of each layer
  const Buffer& found;             ///< `maxMarkers` a layer, LayerResult::markers of them valid
  const Buffer* groups = nullptr;  ///< how many there are, see FrameMemory; null: not known
};

/// Which peaks are measured, by rank: from `first` on, `count` of them.
struct Ranks {
  uint32_t first = 0;
  uint32_t count = ~0U;
};

class Passes {
 public:
  /// Kernels for planes of `bits` (8 or 16). `device` must outlive it. Detectors share those of a
  /// device, see Device::shared().
  Passes(const Device& device, uint32_t bits);

  /// Makes what frames with a mask need; otherwise the first of them does.
  void prepareMasks() const;

  void luminance(Recorder& recorder, const Plane& color, const Plane& grey) const;
  void invert(Recorder& recorder, const Plane& luminance, const Plane& response) const;

  /// One shared::PlaneStatistics a layer into `result`, of the pixels that count. `samples`: if
  /// not null, kMaxSamples words a layer, of which sampleGrid() get a pixel's value each, or ~0
  /// for one that does not count: every sampleStep()-th of every sampleStep()-th row, from
  /// sampleStep() / 2 on, row by row.
  void statistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                  const Buffer& feedback, const ScanMemory& memory, const Buffer& result,
                  const Buffer* samples = nullptr) const;

  /// The same of planes of bytes without a mask, in one dispatch: sooner on a GPU.
  void statisticsAtOnce(Recorder& recorder, const Plane& plane, const ScanMemory& memory,
                        const Buffer& result, const Buffer* samples = nullptr) const;

  /// Whether the host can merge what statisticsParts() or scan() leaves in memory.parts: on a CPU,
  /// of a plane that it can read, without a mask.
  bool mergesOnHost(const Plane& plane, const PixelMask& mask) const;

  /// statistics() in two steps: the device's, and once that or scan() is done, the host's, which
  /// takes the samples of one layer at a time.
  void statisticsParts(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                       const Buffer& feedback, const ScanMemory& memory) const;
  void mergeOnHost(const Plane& plane, const ScanMemory& memory, const Buffer& result) const;
  void sampleOnHost(const Plane& plane, uint32_t layer, const Buffer& samples) const;

  /// Lists the candidates by the thresholds in `feedback` in memory.list, and leaves parts of the
  /// statistics there, which mergeStatistics() joins.
  void scan(Recorder& recorder, const Plane& response, const PixelMask& mask,
            const Buffer& feedback, const ScanMemory& memory,
            const ScanOptions& options = {}) const;
  /// Returns the number of workgroups a layer that scan() runs.
  uint32_t scanners(const Plane& response) const;
  void mergeStatistics(Recorder& recorder, const Plane& plane, const PixelMask& mask,
                       const ScanMemory& memory, const Buffer& result,
                       const Buffer* samples = nullptr, uint32_t scanners = 0) const;

  /// Accepted peaks of the list as `maxMarkers` shared::Candidate a layer, in any order;
  /// LayerResult::markers of them valid. Layers that it cannot take are LayerResult::unresolved:
  /// then resolveMany() or the host must do it. `groups`: if not null, where the fullest layer's
  /// are counted.
  void resolve(Recorder& recorder, const ScanMemory& memory, uint32_t layers,
               const Selection& selection, const Buffer& results, const Buffer& found,
               const Buffer* groups = nullptr, uint32_t scanners = 0) const;

  /// The same of up to kMaxListed candidates, by many workgroups. On a CPU it decides so much later
  /// than others that it is of use for tests alone.
  void resolveMany(Recorder& recorder, const ScanMemory& memory, const ResolveMemory& own,
                   uint32_t layers, const Selection& selection, const Buffer& results,
                   const Buffer& found) const;

  /// Measures what was found, as `maxMarkers` shared::Detection a layer in order of rank. The
  /// layers' results are passed on to `outcome`, so that the host may read memory which no kernel
  /// reads. On a CPU peaks of other `ranks` are not measured, nor written; elsewhere all are.
  void refineFound(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                   const Refinement& refinement, uint32_t maxMarkers, const FoundMemory& found,
                   const Buffer& outcome, const Buffer& markers, Ranks ranks = {}) const;

  /// Measures the first `maxMarkers` candidates of the list, whether they are accepted or not, as
  /// shared::Detection where they stand in the list. Reads nothing that `resolve` writes.
  void refineListed(Recorder& recorder, const Plane& plane, const Buffer& feedback,
                    const Refinement& refinement, uint32_t maxMarkers, const ScanMemory& memory,
                    const Buffer& markers, uint32_t scanners = 0) const;

  /// Whether refineListed() starts no more workgroups than there are candidates, up to
  /// kMostCounted. Then it leaves out large ones, of which few peaks are fitted, as kFlagSecond.
  bool countsListed() const { return countsListed_; }

  /// The same of what `own` has; to be recorded before the frame's upload.
  void rehearse(Recorder& recorder, const Buffer& feedback, const Rehearsal& own) const;

  /// Measures `count` groups of markers (`near`, shared::NearMarkers, valid ones), as one
  /// shared::Detection each into `readback`; its sigmaX is 0 where the group's first is no marker
  /// of its own beside others. The flag kFlagExpected is not set.
  void refineNear(Recorder& recorder, const Plane& plane, const Refinement& refinement,
                  uint32_t count, const Buffer& near, const Buffer& readback) const;

 private:
  friend struct ScanMemory;

  /// How `scan` divides a plane.
  struct ScanWork {
    uint32_t rowsPerThread;
    Extent extent;   // invocations
    uint32_t parts;  // workgroups a layer
  };
  /// Which variant of the kernel `scan` is meant.
  struct ScanVariant {
    bool seeks = false;       // it lists candidates, too
    bool masked = false;      // only pixels count whose bit in the mask is set
    bool prominence = false;  // a layer may have a prominence
    bool bytes = false;       // it counts the bytes of a word at once
  };
  /// Which variant of the kernel `refine` is meant.
  struct RefineVariant {
    bool listed = false;     // it measures listed candidates and nothing else
    bool elongated = false;  // what is much longer than wide is fitted as such
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
  uint32_t bits_;  // of a pixel
  bool cpu_;
  bool bytesAtOnce_;                               // kernels may count the bytes of a word at once
  bool countsListed_;                              // see countsListed()
  uint32_t scanGroup_, mergeGroup_, refineGroup_;  // invocations of a workgroup
  KernelStore kernels_;
};

}  // namespace glint::gpu
