// Sums up the pixels of every component. It runs after blobs_number. One invocation handles `rowsPerThread` rows of a
// column of words. All sums are integers, so the order of the atomic additions does not matter.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "load.glsl"
#include "plane.glsl"
#include "wide.glsl"
#include "blobs.glsl"

PLANE_OF_WORDS(0, planeWords);
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) readonly buffer Occupied { uint occupied[]; };
layout(std430, binding = 4) coherent buffer Parents { uint parents[]; };
layout(std430, binding = 5) buffer Blobs { Blob blobs[]; };

#include "candidate.glsl"
#include "blob_sums.glsl"

// Returns the number of the component that a node belongs to, and stores it at the node itself for the next search.
uint numberOf(uint node) {
  uint parent = parents[node];
  if ((parent & kNumbered) == 0) {
    while ((parent & kNumbered) == 0) parent = parents[parent];
    parents[node] = parent;
  }
  return parent & ~kNumbered;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint word = columnWord();
  const uint threshold = feedback.layers[layer].threshold;
  // The sums of consecutive runs of the same component are joined in `pending` and added to the Blob at `pendingAt`
  // together, which saves atomics.
  uint pendingAt = kAll;
  Sums pending;
  for (uint rows = occupied[columnIndex()]; rows != 0; rows &= rows - 1) {
    const uint y = columnTop() + uint(findLSB(rows));
    const uint index = wordAt(layer, word, y);
    const uint bits = bitmap[index];
    for (uint rest = bits; rest != 0;) {
      const uint start = uint(findLSB(rest));
      const uint end = runEnd(bits, start);
      rest &= ~bitsOf(start, end);
      const uint number = numberOf(nodeAt(index, start));
      if (number >= params.capacity) continue;
      const uint at = layer * params.capacity + number;
      const Sums run = sumsOf(blobs[at].first / params.plane.width, layer, word * 32 + start, y,
                              end - start, threshold);
      if (at == pendingAt) {
        pending = join(pending, run);
      } else {
        if (pendingAt != kAll) addTo(pendingAt, pending);
        pending = run;
        pendingAt = at;
      }
    }
  }
  if (pendingAt != kAll) addTo(pendingAt, pending);
}
