// Marks the candidates of a response plane, or its whole foreground, in a bitmap with one bit per pixel, for drawing.
//
// Input: the response, the threshold and prominence of each layer in `feedback`, and a mask. It runs once the response
// is made. Rows of the bitmap are padded to whole words. One invocation makes one word, that is 32 pixels of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "load.glsl"
#include "plane.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 1) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(push_constant) uniform Push { CandidatesParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 3) writeonly buffer Bitmap { uint bitmap[]; };
PLANE_OF_WORDS(4, planeWords);  // the same plane, read word by word

#include "candidate.glsl"

// Returns the bits of the pixels in the load that begins at (x, y), lowest bit first. (x, y) must lie in the image.
uint among(uint layer, uint x, uint y, uint threshold) {
  const uvec4 load = plane[wordOf(params.plane, layer, x, y) / 4];
  uint bits = 0;
  for (uint i = 0; i < kPerLoad && x + i < params.plane.width; ++i) {
    const uint value = unpack(load[i / kPerWord], i % kPerWord);
    if (value < threshold) continue;
    if (params.foreground != 0 ||
        isPeak(params.plane, layer, x + i, y, value, feedback.layers[layer].prominence))
      bits |= 1u << i;
  }
  return bits;
}

void main() {
  const uint word = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  if (word >= params.pitch) return;
  const uint threshold = feedback.layers[layer].threshold;
  uint bits = 0;
  for (uint i = 0; i < 32 && word * 32 + i < params.plane.width; i += kPerLoad)
    bits |= among(layer, word * 32 + i, y, threshold) << i;
  const uint at = (layer * params.plane.height + y) * params.pitch + word;
  if (kMasked != 0) bits &= mask[at];
  bitmap[at] = bits;
}
