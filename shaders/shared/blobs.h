// The structs that the kernels `blobs_*` hand to each other. A blob is a connected component of
// bright pixels.
#ifndef GLINT_SHARED_BLOBS_H
#define GLINT_SHARED_BLOBS_H
#include "shared/plane.h"

GLINT_SHARED_BEGIN

// A bit of an entry in the buffer of parents. It is set once the component of that entry has a
// number. The other bits of the entry are then that number.
GLINT_CONSTANT kNumbered = 0x80000000u;
// The largest row, counted from the first row of a component, that Blob::peak can hold.
GLINT_CONSTANT kMostRow = 32767u;

// A bit of Blob::flags. It is set if the component was split, so that its parts replace it.
GLINT_CONSTANT kCutIntoParts = 0x80000000u;

// A 64-bit integer.
struct Sum {
  uint low, high;
};

// One component, or one part of a component that was split. The weight of a pixel is its response
// minus the threshold, plus 1. Sums use absolute image coordinates. They stay below 2^62 for frames
// of 32768 x 32768. Extrema are stored so that atomicMax finds them and an empty Blob holds zeros.
struct Blob {
  uint first;  // raster index of the first pixel
  uint area;   // px
  uint peak;  // highest response << 15 | (kMostRow - row), where row is the first row that has this
              // response, counted from the component's first row
  uint place;              // y << 16 | x of the first pixel with the highest response
  uint left;               // bitwise complement of the least x
  uint right;              // greatest x
  uint bottom;             // greatest y
  uint flags;              // kFlag... bits, and kCutIntoParts
  Sum mass, massX, massY;  // sums of the weight, and of the weight times x, y
  Sum x, y, xx, xy, yy;    // sums over the pixels
};

// The values that decide the rank of a blob. A greater mass ranks first.
struct BlobKey {
  uint massHigh, massLow;
  uint first;   // raster index of the first pixel; of two equal masses the one with the lower index
                // ranks first
  uint centre;  // y << 16 | x of the weighted centroid, rounded to a pixel; kNoCentre if the blob
                // cannot be accepted
};
GLINT_CONSTANT kNoCentre = 0xffffffffu;

// Counts of one layer.
struct BlobCounts {
  uint components;
  uint parts;       // parts of split components; their slots follow those of the components
  uint suspects;    // components that may be several markers
  uint lastCentre;  // BlobKey::centre of the blob accepted last; kNoCentre before the first one
};

struct BlobsParams {
  PlaneShape plane;
  uint rowsPerThread;        // rows of a column of 32 pixels that one invocation walks down
  uint maskPitch;            // 32-bit words from one row of the mask to the next
  uint capacity;             // room for blobs per layer
  uint maxMarkers;           // most markers per layer
  uint separationUp;         // px^2; two centres are too near if dx * dx + dy * dy is less
  uint budget;               // most loop iterations of an invocation of blobs_split or blobs_select
  uint leastArea, mostArea;  // px
  uint leastMassLow, leastMassHigh;
  // Largest square of (major - minor) / (major + minor), where major and minor are the variances
  // along the principal axes; 1 or more sets no limit.
  float mostElongation;
  uint fullScale;  // value of a saturated pixel
  uint split;      // 1: components that are several markers are cut; 0: they are only flagged
  uint counts;     // 1: blobs_select counts the workgroups that `refine` needs
};

GLINT_SHARED_END
#endif
