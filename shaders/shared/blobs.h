// What the kernels of the blobs hand to each other.
#ifndef GLINT_SHARED_BLOBS_H
#define GLINT_SHARED_BLOBS_H
#include "shared/plane.h"

GLINT_SHARED_BEGIN

// Set in an entry of the parents once its component has a number, which the other bits are.
GLINT_CONSTANT kNumbered = 0x80000000u;
// Least rows from the top of a component to one that its peak can be in: see Blob::peak.
GLINT_CONSTANT kMostRow = 32767u;

// Set in the flags of a component whose parts took its place.
GLINT_CONSTANT kCutIntoParts = 0x80000000u;

// A 64-bit integer.
struct Sum {
  uint low, high;
};

// One component, or one part of a component that was split. A pixel's weight is its response minus
// the threshold, plus 1. Sums are of absolute coordinates: below 2^62 for frames of 32768 x 32768.
struct Blob {
  uint first;   // raster index of the first pixel
  uint area;    // px
  uint peak;    // highest response << 15 | kMostRow - (its first row - the component's first)
  uint place;   // y << 16 | x of the first pixel with the highest response
  uint left;    // ~least x, so that all fields start at 0
  uint right;   // greatest x
  uint bottom;  // greatest y
  uint flags;   // kFlag... bits, and kCutIntoParts
  Sum mass, massX, massY;  // sums of the weight, and of the weight times x, y
  Sum x, y, xx, xy, yy;    // sums over the pixels
};

// What a blob is ranked by.
struct BlobKey {
  uint massHigh, massLow;
  uint first;   // raster index of the first pixel: decides among equal masses
  uint centre;  // y << 16 | x of the weighted centroid rounded to a pixel; kNoCentre: out of the
                // race
};
GLINT_CONSTANT kNoCentre = 0xffffffffu;

// Counts of one layer.
struct BlobCounts {
  uint components;
  uint parts;       // slots that follow the components', for their parts
  uint suspects;    // components that may be several markers
  uint lastCentre;  // of the blob accepted last
};

struct BlobsParams {
  PlaneShape plane;
  uint rowsPerThread;        // rows of a column of 32 pixels that one invocation walks down
  uint maskPitch;            // 32-bit words from one row of the mask to the next
  uint capacity;             // blobs a layer
  uint maxMarkers;           // most markers a layer
  uint separationUp;         // ceil(d * d): dx * dx + dy * dy below it is too near
  uint budget;               // most loop iterations of an invocation of blobs_split or blobs_select
  uint leastArea, mostArea;  // px
  uint leastMassLow, leastMassHigh;
  float mostElongation;  // square of (major - minor) / (major + minor) of the variances; >= 1: any
  uint fullScale;        // value of a saturated pixel
  uint split;            // 0: components that are several markers are flagged, not cut
  uint counts;           // 1: the workgroups that `refine` needs are counted
};

GLINT_SHARED_END
#endif
