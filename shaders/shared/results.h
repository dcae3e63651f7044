// What the kernels measure, as it comes back to the host.
#ifndef GLINT_SHARED_RESULTS_H
#define GLINT_SHARED_RESULTS_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

// Exact statistics of one layer of a plane. Indices are raster indices y * width + x.
struct PlaneStatistics {
  uint sumLow, sumHigh;          // 64-bit sum of the values
  uint squaresLow, squaresHigh;  // 64-bit sum of the squared values
  uint least, leastIndex;        // minimum and the first pixel that has it
  uint most, mostIndex;          // maximum and the first pixel that has it
};

// Bits of Detection::flags.
GLINT_CONSTANT kFlagSaturated = 1u;  // a pixel of the window is at full scale
GLINT_CONSTANT kFlagBorder = 2u;     // the window is cut by the image border
GLINT_CONSTANT kFlagExpected = 4u;   // a track was predicted here, within its gate
GLINT_CONSTANT kFlagMerged = 8u;     // more than one marker in one blob
GLINT_CONSTANT kFlagSplit = 16u;     // several peaks fell on this one marker
GLINT_CONSTANT kFlagPartial = 32u;   // the frame held more than a capacity: markers may be missing
GLINT_CONSTANT kFlagSecond = 64u;  // of peaks only, never told: a better one is on the same object

// One marker in one frame.
struct Detection {
  uint peakX, peakY;  // px, the accepted peak
  uint peak;          // response there
  uint flags;         // kFlag... bits
  float x, y;         // px, refined position
  float mass;         // response above background, summed over the window
  float radius;  // px, of the uniform disc with the same second moments (2 sigma of a Gaussian)
  float eccentricity;    // 0 (round) to 1
  float sigmaX, sigmaY;  // px, standard deviation of x and y from the image noise
  float background;      // response around the marker
  // Of peaks that were measured, from a first look along 16 rays; otherwise 0:
  float extentX, extentY;  // px, the middle of where half of the height is reached
  float extent;            // px, mean distance from there to where half of the height is lost
  float elongation;        // of that area, the square of length / width; 1000: a line or an edge
};

// A place where a marker may be, for `resolve`. Of two, the one with the greater weight is the
// better; among equals the one with the lesser place.
struct Candidate {
  uint weight;  // response
  uint place;   // y << 16 | x, px
};

// One layer's counts.
struct LayerResult {
  uint candidates;  // response pixels that satisfy the definition of a candidate
  uint markers;     // detections that follow
  uint unresolved;  // 1: too many candidates; the frame must go another way, see Search
  uint scanned;     // workgroups of `scan` that are done, where others wait for them
};

GLINT_SHARED_END
#endif
