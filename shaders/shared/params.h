// The push constants of every kernel.
#ifndef GLINT_SHARED_PARAMS_H
#define GLINT_SHARED_PARAMS_H
#include "shared/plane.h"

GLINT_SHARED_BEGIN

struct LuminanceParams {
  PlaneShape grey;   // the plane written
  PlaneShape color;  // the interleaved source: three times as many words a row
};

struct InvertParams {
  PlaneShape plane;
};

struct BlurParams {
  PlaneShape plane;
  uint gain;  // of the difference of two Gaussians, at least 1
};

struct ScanParams {
  PlaneShape plane;
  uint rowsPerThread;  // rows that one invocation walks down
  uint maskPitch;      // 32-bit words from one row of the mask to the next
  uint posted;  // candidates a layer that others wait for: see shaders/await.glsl; 0: they do not
};

// Sums of a layer in the memory of `statistics`, and words from one to the next.
GLINT_CONSTANT kSums = 7u;
GLINT_CONSTANT kSumStride = 64u;
struct StatisticsParams {
  PlaneShape plane;
  uint rowsPerThread;
  uint maskPitch;  // of nothing
  uint parts;      // workgroups a layer that do not take samples
  uint step;       // px between samples, as of StatisticsMergeParams
};

struct StatisticsMergeParams {
  PlaneShape plane;
  uint parts;      // partial statistics a layer
  uint maskPitch;  // 32-bit words from one row of the mask to the next
  uint step;       // px between samples, the first ones at step / 2; 0: none are taken
  uint scanners;   // as of RefineParams
};

struct ResolveParams {
  uint maxMarkers;    // most peaks a layer
  uint separationUp;  // ceil(d * d): dx * dx + dy * dy below it is too near
  uint reach;         // largest |dx| or |dy| that can be too near, px; >= 1
  uint cellShift;     // log2 of the side of the search grid's cells, px, at least 2 * reach
  uint counts;        // 1: the workgroups that `refine` needs are counted
  uint scanners;      // as of RefineParams
};

// Of the hash of `resolve_many`, a layer; a power of two.
GLINT_CONSTANT kManyBuckets = 8192u;
struct ResolveManyParams {
  uint maxMarkers, separationUp, reach, cellShift;  // as of ResolveParams
  uint last;  // 1: no other dispatch decides what this one leaves open
};

struct CandidatesParams {
  PlaneShape plane;
  uint pitch;       // 32-bit words from one row of the bitmap, and of the mask, to the next
  uint foreground;  // 1: all pixels at or above the threshold
};

// What `refine` measures, and in which order it leaves it.
GLINT_CONSTANT kRefinePeaks = 0u;  // accepted peaks (Candidate) in any order; by rank
GLINT_CONSTANT kRefineBlobs = 1u;  // accepted blobs (Detection) by rank; the same
GLINT_CONSTANT kRefineList = 2u;   // listed candidates, accepted or not; as they are listed
// For the kernel's constant: RefineParams::from says.
GLINT_CONSTANT kRefineAny = 3u;
GLINT_CONSTANT kRefineRanked = 4u;  // accepted peaks by rank; the same
GLINT_CONSTANT kRefineByX = 5u;  // the same; behind those of all layers they stand once more, by x
// RefineParams::enabled where nothing needs what is measured: a fit ends after its first step.
GLINT_CONSTANT kRehearsed = 2u;

struct RefineParams {
  PlaneShape plane;
  uint maxMarkers;
  uint radius;     // px; 0: from the marker itself
  uint fullScale;  // value of a saturated pixel in the response
  uint enabled;    // 0: report the peak's own pixel; or kRehearsed
  uint from;       // kRefine...: what is measured
  uint stride;     // of that, entries a layer
  float longest;  // elongation: what is longer is not fitted, unless others' light may make it look
                  // so
  float largest;  // px, of an extent: what is larger is not fitted
  uint firstRank,
      ranks;      // of peaks, where only a part is measured: the first one's rank, and how many
  uint seconds;   // 1: second peaks of large objects are not fitted
  uint scanners;  // workgroups of `scan` a layer that run at the same time; 0: it is done
};

// Markers that `refine_near` measures together, in one layer.
GLINT_CONSTANT kMostNear = 4u;
struct NearMarkers {
  uint layer;
  uint count;              // at least 2
  uint places[kMostNear];  // of their peaks, y << 16 | x, px; first of the one that is told of
  uint reserved[2];
};

GLINT_SHARED_END
#endif
