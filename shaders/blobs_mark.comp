// Foreground of a response plane as a bitmap, one bit a pixel, and every run of it its own component.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "plane.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set
const uint kLoads = 32u / kPerLoad;  // 16-byte loads that cover a word of the bitmap

layout(push_constant) uniform Push { BlobsParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 3) writeonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 4) writeonly buffer Parents { uint parents[]; };
layout(std430, binding = 5) writeonly buffer Counts { BlobCounts counts[]; };

#include "blobs.glsl"

// A bit for every pixel of a word that is at or above the threshold, lowest first. Of 8 bits, two
// pixels at a time are compared in the halves of a register: adding 256 - threshold sets bit 8.
uint bright(uint word, uint threshold) {
  if (kBits == 8) {
    const uint add = (256u - threshold) * 0x10001u;
    const uint even = (word & 0x00ff00ffu) + add;
    const uint odd = (word >> 8 & 0x00ff00ffu) + add;
    return (even >> 8 & 1u) | (odd >> 7 & 2u) | (even >> 22 & 4u) | (odd >> 21 & 8u);
  }
  return uint((word & 0xffffu) >= threshold) | uint((word >> 16) >= threshold) << 1;
}

uint brightOf(uvec4 load, uint threshold) {
  return bright(load.x, threshold) | bright(load.y, threshold) << kPerWord |
         bright(load.z, threshold) << 2 * kPerWord | bright(load.w, threshold) << 3 * kPerWord;
}

uint foreground(uint layer, uint word, uint y, uint threshold) {
  const uint first = (layer * params.plane.layerStride + y * params.plane.pitch) / 4 + word * kLoads;
  const uint loads = min(kLoads, params.plane.pitch / 4 - word * kLoads);
  uint bits = 0;
  for (uint i = 0; i < kLoads; ++i) {
    if (i < loads) bits |= brightOf(plane[first + i], threshold) << i * kPerLoad;
  }
  if (kMasked != 0) bits &= mask[(layer * params.plane.height + y) * params.maskPitch + word];
  const uint width = min(params.plane.width - word * 32, 32);
  return bits & bitsOf(0, width);
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint word = gl_GlobalInvocationID.x % wordsPerRow();
  const uint top = gl_GlobalInvocationID.x / wordsPerRow() * params.rowsPerThread;
  if (gl_GlobalInvocationID.x == 0) counts[layer] = BlobCounts(0, 0, kNoCentre, 0);
  const uint threshold = min(feedback.layers[layer].threshold, kFull + 1);
  const uint bottom = min(top + params.rowsPerThread, params.plane.height);
  for (uint y = top; y < bottom; ++y) {
    uint bits = foreground(layer, word, y, threshold);
    const uint index = wordAt(layer, word, y);
    bitmap[index] = bits;
    for (uint starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
      const uint node = nodeAt(index, uint(findLSB(starts)));
      parents[node] = node;
    }
  }
}
