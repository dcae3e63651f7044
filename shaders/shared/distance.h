// What the kernels of the distance transform and the host share.
#ifndef GLINT_SHARED_DISTANCE_H
#define GLINT_SHARED_DISTANCE_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

// A distance where there is no feature at all, and the index of none.
GLINT_CONSTANT kNoDistance = 0xffffffffu;

// Rows of a column that one invocation searches.
GLINT_CONSTANT kDistanceBlock = 8;
// Blocks whose least distance is known together.
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
  float across;       // squared spacing along x; `distance_planes` alone
  float along;        // squared spacing along the columns
  float inverse;      // 1 / along
  uint rasterHeight;  // of the whole volume, for indices; `distance_depth` alone
};

struct DistanceStepsParams {
  DistanceShape shape;
  uint weight;  // of a step along x
};

struct DistanceSweepParams {
  DistanceShape shape;
  int dy, dz;   // from row to row
  uint weight;  // of that step
  uint side;    // what it costs more if x changes by one, too
};

GLINT_SHARED_END
#endif
