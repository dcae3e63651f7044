// Computes the second half of the responses "blur" and "dog" from the intermediate plane of `blur_columns`: the same
// Gaussians along the rows. The response "blur" is the narrow Gaussian. The response "dog" is the narrow minus the
// wide Gaussian, times a gain. It is 0 where the wide one is greater, and full scale at most. The result is rounded
// once, halves up. One invocation computes kSpan neighbouring pixels of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/params.h"
#include "plane.glsl"
#include "blur.glsl"

layout(local_size_x = 32) in;

layout(push_constant) uniform Push { BlurParams params; };
layout(std430, binding = 0) readonly buffer Middle { uvec4 middle[]; };
layout(std430, binding = 2) writeonly buffer Response { uint response[]; };

uint pixelOf(uint narrow, uint wide) {
  const uint fraction = 32 - kBits;
  uint value = narrow;
  if (kBand != 0) {
    value -= min(narrow, wide);
    value = min(value, (kFull << fraction) / params.gain) * params.gain;
  }
  return (value + (1u << (fraction - 1))) >> fraction;
}

void main() {
  const uint layer = gl_GlobalInvocationID.z;
  const uint x = gl_GlobalInvocationID.x * kSpan;
  const uint y = gl_GlobalInvocationID.y;
  if (x >= params.plane.pitch * kPerWord) return;

  uint narrow[kSpan];
  uint wide[kSpan];
  [[unroll]] for (int k = 0; k < kSpan; ++k) narrow[k] = wide[k] = 0;
  const uint first = middleLoad(params.plane, layer, x, y);
  [[unroll]] for (int i = -kMargin; i < kMargin + kSpan; i += 4) {
    const uvec4 load = middle[first + uint(i + kMargin) / 4];
    [[unroll]] for (int c = 0; c < 4; ++c) {
      [[unroll]] for (int k = 0; k < kSpan; ++k) {
        const int d = abs(i + c - k);
        if (d <= kNarrowReach) narrow[k] += narrowTap(d) * (load[c] & 0xffffu);
        if (kBand != 0 && d <= kWideReach) wide[k] += wideTap(d) * (load[c] >> 16);
      }
    }
  }
  const uint to = wordOf(params.plane, layer, x, y);
  [[unroll]] for (uint w = 0; w < kSpan / kPerWord; ++w) {
    uint word = 0;
    [[unroll]] for (uint k = 0; k < kPerWord; ++k)
      word |= pixelOf(narrow[w * kPerWord + k], wide[w * kPerWord + k]) << (k * kBits);
    response[to + w] = word;
  }
}
