// The layout of a plane of one-channel pixels in a storage buffer of 32-bit words.
#ifndef GLINT_SHARED_PLANE_H
#define GLINT_SHARED_PLANE_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

struct PlaneShape {
  uint width;        // px
  uint height;       // px
  uint pitch;        // 32-bit words from one row to the next, a multiple of 4
  uint layerStride;  // 32-bit words from one layer to the next: pitch * height
};

GLINT_SHARED_END
#endif
