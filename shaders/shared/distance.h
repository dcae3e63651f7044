// Structs and constants that the kernels of the distance transform share with the host. A feature
// is a voxel from which distances are measured. A site is a voxel of a column whose distance to its
// nearest feature is known in the dimensions that are already done.
#ifndef GLINT_SHARED_DISTANCE_H
#define GLINT_SHARED_DISTANCE_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

// The distance and the index that are reported where no feature exists.
GLINT_CONSTANT kNoDistance = 0xffffffffu;

// Rows of a block: one invocation of distance_search.glsl searches that many rows of a column.
GLINT_CONSTANT kDistanceBlock = 8;
// Blocks of a group: distance_search.glsl keeps the least distance of each group and can skip the
// group at once.
GLINT_CONSTANT kDistanceGroup = 8;

struct DistanceShape {
  uint width;  // voxels
  uint height;
  uint depth;
  uint words;  // 32-bit words of a row of bits
};

struct DistancePackParams {
  DistanceShape shape;
};

struct DistanceRowsParams {
  DistanceShape shape;
  uint invert;  // 1: features are the bits that are 0
};

struct DistanceEnvelopeParams {
  DistanceShape shape;
  float across;       // squared spacing of voxels along x; only `distance_planes` uses it
  float along;        // squared spacing of voxels along the columns
  float inverse;      // 1 / along
  uint rasterHeight;  // height of the whole volume, for raster indices; only `distance_depth` uses
                      // it
};

struct DistanceSweepParams {
  DistanceShape shape;
  int dy, dz;      // offset from one row to the next: (1, 0), (0, 1), (1, 1) or (-1, 1)
  uint weight;     // length of a step by (dy, dz)
  uint side;       // additional length if x changes by one in the same step
  uint along;      // length of a step along x
  uint forwards;   // 1: sweep by (dy, dz)
  uint backwards;  // 1: sweep by (-dy, -dz), after that
};

GLINT_SHARED_END
#endif
