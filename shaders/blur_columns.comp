// The first half of the responses "blur" and "dog": Gaussians down the columns. Integer weights
// add up to 65,536 (see gpu/gaussian.h); the sum is rounded to 16 bits: of 8-bit pixels 8 of them
// are a fraction. Rows outside the image repeat the first and the last.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "plane.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Push { BlurParams params; };
layout(std430, binding = 0) readonly buffer Plane { uint plane[]; };
layout(std430, binding = 1) readonly buffer Taps { uint taps[]; };
layout(std430, binding = 2) writeonly buffer Middle { uint middle[]; };

#include "blur.glsl"

// kSpan rows of the pixels of one word.
struct Rows {
  uvec4 row[kSpan];
};

Rows blur(uint layer, uvec2 at, uint firstTap, int reach) {
  Rows sums;
  for (int r = 0; r < kSpan; ++r) sums.row[r] = uvec4(0);
  for (int i = -reach; i < reach + kSpan; ++i) {
    const int y = clamp(int(at.y) + i, 0, int(params.plane.height) - 1);
    const uint word = plane[layer * params.plane.layerStride + uint(y) * params.plane.pitch + at.x];
    const uvec4 w = weights(firstTap, i);
    uvec4 pixels = uvec4(0);
    for (uint k = 0; k < kPerWord; ++k) pixels[k] = unpack(word, k);
    for (int r = 0; r < kSpan; ++r) sums.row[r] += w[r] * pixels;
  }
  const uint shift = kBits;  // leaves 16 bits
  for (int r = 0; r < kSpan; ++r) sums.row[r] = (sums.row[r] + (1u << (shift - 1))) >> shift;
  return sums;
}

void main() {
  const uint layer = gl_GlobalInvocationID.z;
  const uvec2 at = uvec2(gl_GlobalInvocationID.x, gl_GlobalInvocationID.y * kSpan);
  if (at.x >= params.plane.pitch || at.y >= params.plane.height) return;
  Rows result = blur(layer, at, 0, int(params.narrowReach));
  if (kBand != 0) {
    const Rows wide = blur(layer, at, params.wideTap, int(params.wideReach));
    for (int r = 0; r < kSpan; ++r) result.row[r] |= wide.row[r] << 16;
  }
  for (uint r = 0; r < kSpan && at.y + r < params.plane.height; ++r) {
    const uint to = middleWord(params.plane, layer, at.x * kPerWord, at.y + r);
    for (uint k = 0; k < kPerWord; ++k) middle[to + k] = result.row[r][k];
  }
}
