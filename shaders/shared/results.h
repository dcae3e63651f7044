// The structs in which kernels return their measurements to the host.
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
GLINT_CONSTANT kFlagMerged = 8u;     // the blob contains more than one marker
GLINT_CONSTANT kFlagSplit = 16u;     // several peaks were found on this one marker
GLINT_CONSTANT kFlagPartial = 32u;   // the frame exceeded a capacity, so markers may be missing
GLINT_CONSTANT kFlagSecond = 64u;    // a better peak is on the same object; never reported

// One marker in one frame.
struct Detection {
  uint peakX, peakY;   // px, the accepted peak
  uint peak;           // response there
  uint flags;          // kFlag... bits
  float x, y;          // px, refined position
  float mass;          // response above background, summed over the window
  float radius;        // px, radius of the uniform disc with the same second moments (2 sigma of a
                       // Gaussian)
  float eccentricity;  // 0 (round) to 1
  float sigmaX, sigmaY;  // px, standard deviation of x and y due to the image noise
  float background;      // response around the marker
  // The next four come from a first look along 16 rays. They are 0 for blobs, and for peaks that
  // were not measured.
  float extentX, extentY;  // px, the middle of the area in which the response exceeds half of the
                           // peak's height
  float extent;            // px, mean distance from this middle to the edge of this area
  float elongation;        // length / width of this area; 1000: a line or an edge
};

// A pixel where a marker may be. A candidate with a greater weight is the better one. Of two equal
// weights the one with the lesser place is the better.
struct Candidate {
  uint weight;  // response
  uint place;   // y << 16 | x, px
};

// One layer's counts.
struct LayerResult {
  uint candidates;  // response pixels that satisfy the definition of a candidate, or components if
                    // markers are blobs
  uint markers;     // valid entries in this layer's list of detections
  uint unresolved;  // 1: there were too many candidates or blobs, so the frame must be searched in
                    // another way
  uint scanned;     // workgroups of `scan` that are done, if other passes run at the same time and
                    // wait for them
};

GLINT_SHARED_END
#endif
