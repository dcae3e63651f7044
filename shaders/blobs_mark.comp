// Marks the foreground of a response plane in a bitmap, and makes every run of set bits a component of its own. It is
// the first of the kernels `blobs_*` and runs once the response is made.
//
// Input: the response, the threshold of each layer, and a mask. Output: the bitmap with one bit per pixel, a bit for
// every word that is not empty (`occupied`), the parents of all runs, and the layer's counts at 0. One invocation makes
// `rowsPerThread` words, one below the other.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "blobs.glsl"

layout(constant_id = 2) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 3) writeonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 4) writeonly buffer Occupied { uint occupied[]; };
layout(std430, binding = 5) writeonly buffer Parents { uint parents[]; };
layout(std430, binding = 6) writeonly buffer Counts { BlobCounts counts[]; };

#include "blob_bright.glsl"

uint foreground(uint layer, uint word, uint y, uint threshold) {
  uint bits = brightPixels(layer, word, y, threshold);
  if (kMasked != 0) bits &= mask[(layer * params.plane.height + y) * params.maskPitch + word];
  return bits;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint word = columnWord();
  const uint top = columnTop();
  if (gl_GlobalInvocationID.x == 0) counts[layer] = BlobCounts(0, 0, 0, kNoCentre);
  const uint threshold = min(feedback.layers[layer].threshold, kFull + 1);
  uint rows = 0;
  for (uint i = 0; i < params.rowsPerThread && top + i < params.plane.height; ++i) {
    const uint bits = foreground(layer, word, top + i, threshold);
    bitmap[wordAt(layer, word, top + i)] = bits;
    rows |= uint(bits != 0) << i;
  }
  occupied[columnIndex()] = rows;
  for (; rows != 0; rows &= rows - 1) {
    const uint y = top + uint(findLSB(rows));
    const uint index = wordAt(layer, word, y);
    const uint bits = foreground(layer, word, y, threshold);
    for (uint starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
      const uint node = nodeAt(index, uint(findLSB(starts)));
      parents[node] = node;
    }
  }
}
