// The second half of the responses "blur" and "dog": the same Gaussians along the rows of what
// `blur_columns` left, and of "dog" their difference times a gain, 0 where the wide one is
// greater, full scale at most. Rounded once, halves up. Columns outside the image repeat the first
// and the last.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "plane.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Push { BlurParams params; };
layout(std430, binding = 0) readonly buffer Middle { uint middle[]; };
layout(std430, binding = 1) readonly buffer Taps { uint taps[]; };
layout(std430, binding = 2) writeonly buffer Response { uint response[]; };

#include "blur.glsl"

// kSpan pixels from x on, each with kBits + 16 bits, of which 16 are a fraction, and as many again
// for 8-bit pixels.
uvec4 blur(uint layer, uint x, uint y, uint firstTap, int reach, uint shift) {
  uvec4 sums = uvec4(0);
  const uint row = middleWord(params.plane, layer, 0, y);
  for (int i = -reach; i < reach + kSpan; ++i) {
    const uint from = uint(clamp(int(x) + i, 0, int(params.plane.width) - 1));
    sums += weights(firstTap, i) * (middle[row + from] >> shift & 0xffffu);
  }
  return sums;
}

void main() {
  const uint layer = gl_GlobalInvocationID.z;
  const uint x = gl_GlobalInvocationID.x * kSpan;
  const uint y = gl_GlobalInvocationID.y;
  if (x >= params.plane.pitch * kPerWord || y >= params.plane.height) return;
  uvec4 sums = blur(layer, x, y, 0, int(params.narrowReach), 0);
  if (kBand != 0) {
    const uvec4 wide = blur(layer, x, y, params.wideTap, int(params.wideReach), 16);
    sums -= min(sums, wide);
  }
  const uint fraction = 32 - kBits;
  const uint half_ = 1u << (fraction - 1);
  if (kBand != 0) sums = min(sums, (kFull << fraction) / params.gain) * params.gain;
  const uvec4 pixels = (sums + half_) >> fraction;
  const uint to = wordOf(params.plane, layer, x, y);
  if (kBits == 8) {
    response[to] = pixels.x | pixels.y << 8 | pixels.z << 16 | pixels.w << 24;
  } else {
    response[to] = pixels.x | pixels.y << 16;
    response[to + 1] = pixels.z | pixels.w << 16;
  }
}
