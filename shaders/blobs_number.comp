// Gives every component a number and an empty Blob. It runs after blobs_unite. One invocation handles `rowsPerThread`
// rows of a column of words, and numbers those of their runs that are the root of a component. The numbers come in any
// order, but no result depends on them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "blobs.glsl"

layout(std430, binding = 0) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 1) readonly buffer Occupied { uint occupied[]; };
layout(std430, binding = 2) buffer Parents { uint parents[]; };
layout(std430, binding = 3) buffer Counts { BlobCounts counts[]; };
layout(std430, binding = 4) writeonly buffer Blobs { Blob blobs[]; };

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint word = columnWord();
  for (uint rows = occupied[columnIndex()]; rows != 0; rows &= rows - 1) {
    const uint y = columnTop() + uint(findLSB(rows));
    const uint index = wordAt(layer, word, y);
    const uint bits = bitmap[index];
    for (uint starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
      const uint start = uint(findLSB(starts));
      const uint node = nodeAt(index, start);
      if (parents[node] != node) continue;
      const uint number = atomicAdd(counts[layer].components, 1);
      parents[node] = kNumbered | number;
      if (number >= params.capacity) continue;
      const Sum none = Sum(0, 0);
      blobs[layer * params.capacity + number] =
          Blob(y * params.plane.width + word * 32 + start, 0, 0, 0, 0, 0, 0, 0, none, none, none,
               none, none, none, none, none);
    }
  }
}
