// The push constants of every kernel.
#ifndef GLINT_SHARED_PARAMS_H
#define GLINT_SHARED_PARAMS_H
#include "shared/plane.h"

GLINT_SHARED_BEGIN

struct LuminanceParams {
  PlaneShape grey;   // the plane that is written
  PlaneShape color;  // the source, whose channels are interleaved; a row has three times as many
                     // words as one of `grey`
};

struct InvertParams {
  PlaneShape plane;
};

struct BlurParams {
  PlaneShape plane;
  uint gain;  // factor for the difference of the two Gaussians, at least 1
};

struct ScanParams {
  PlaneShape plane;
  uint rowsPerThread;  // rows that one invocation walks down
  uint maskPitch;      // 32-bit words from one row of the mask to the next
  uint posted;  // candidates per layer that `scan` posts to workgroups which wait for them (see
                // shaders/post.glsl); 0: no other pass runs at the same time
};

// The number of sums per layer in the memory of `statistics`, and the number of words from one sum
// to the next.
GLINT_CONSTANT kSums = 7u;
GLINT_CONSTANT kSumStride = 64u;
struct StatisticsParams {
  PlaneShape plane;
  uint rowsPerThread;
  uint maskPitch;  // unused; the code that this kernel shares with `scan` needs the name
  uint parts;      // workgroups per layer that read the plane; the others take samples
  uint step;       // see StatisticsMergeParams
};

struct StatisticsMergeParams {
  PlaneShape plane;
  uint parts;      // partial statistics per layer
  uint maskPitch;  // 32-bit words from one row of the mask to the next
  uint step;  // px from one sample to the next along x and y, starting at step / 2; 0: no samples
              // are taken
  uint scanners;  // see RefineParams
};

struct ResolveParams {
  uint maxMarkers;    // most peaks per layer
  uint separationUp;  // px^2; two candidates are too near if dx * dx + dy * dy is less
  uint reach;         // px, largest |dx| or |dy| of two candidates that are too near, at least 1
  uint cellShift;  // log2 of the side of a cell of the search grid, in px; a side is at least 2 *
                   // reach
  uint counts;     // 1: `resolve` counts the workgroups that `refine` needs
  uint scanners;   // see RefineParams
};

// Buckets per layer of the hash table of `resolve_many`; a power of two.
GLINT_CONSTANT kManyBuckets = 8192u;
struct ResolveManyParams {
  uint maxMarkers, separationUp, reach, cellShift;  // see ResolveParams
  uint last;  // 1: this is the last dispatch that decides; candidates that it leaves open make the
              // layer unresolved
};

struct CandidatesParams {
  PlaneShape plane;
  uint pitch;       // 32-bit words from one row of the bitmap, and of the mask, to the next
  uint foreground;  // 1: mark all pixels at or above the threshold; 0: mark the candidates only
};

// Each constant kRefine... selects the input of `refine` and the order in which it writes the
// detections.
//
// Accepted peaks (Candidate) in any order. Detections are written by rank.
GLINT_CONSTANT kRefinePeaks = 0u;
// Accepted blobs (Detection) by rank. Detections keep this order.
GLINT_CONSTANT kRefineBlobs = 1u;
// Listed candidates (Candidate), whether accepted or not. Detections keep the list's order.
GLINT_CONSTANT kRefineList = 2u;
// The value of the kernel's constant kFrom if RefineParams::from selects the input at run time.
GLINT_CONSTANT kRefineAny = 3u;
// Accepted peaks (Candidate) by rank. Detections keep this order.
GLINT_CONSTANT kRefineRanked = 4u;
// The input and order of kRefineRanked. A copy of every layer's peaks, sorted by x, follows the
// peaks of all layers.
GLINT_CONSTANT kRefineByX = 5u;
// The value of RefineParams::enabled in a rehearsal, whose results nobody reads. A fit ends after
// its first step.
GLINT_CONSTANT kRehearsed = 2u;

struct RefineParams {
  PlaneShape plane;
  uint maxMarkers;  // entries per layer of the written detections
  uint radius;      // px, radius of the fitted window; 0: it follows from the marker's size
  uint fullScale;   // value of a saturated pixel in the response
  uint enabled;     // 1: fit; 0: report the peak's own pixel; kRehearsed: see there
  uint from;        // the input: one of the constants kRefine...
  uint stride;      // entries per layer of the input
  float longest;    // largest Detection::elongation that is fitted; small objects with an end are
                    // fitted in any case, because the light of neighbours may make them look long
  float largest;    // px, largest Detection::extent that is fitted
  uint firstRank,
      ranks;      // rank of the first peak to be measured, and number of peaks, if only some are
                  // measured
  uint seconds;   // 1: second peaks of large objects are flagged kFlagSecond instead of fitted
  uint scanners;  // workgroups of `scan` per layer that run at the same time as this pass; 0:
                  // `scan` is done
};

// A group of near markers in one layer, which `refine_near` measures together.
GLINT_CONSTANT kMostNear = 4u;
struct NearMarkers {
  uint layer;
  uint count;              // 2 to kMostNear
  uint places[kMostNear];  // y << 16 | x of the markers' peaks, px; only the first marker is
                           // reported
  uint reserved[2];
};

GLINT_SHARED_END
#endif
