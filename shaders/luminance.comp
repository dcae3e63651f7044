// Luminance of an interleaved blue-green-red plane: (54 R + 183 G + 19 B + 128) >> 8 at the
// source's own depth. An invocation writes one load (16 bytes) of grey from three of colour.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "plane.glsl"

layout(local_size_x = 16, local_size_y = 4) in;

layout(push_constant) uniform Push { LuminanceParams params; };
layout(std430, binding = 0) readonly buffer Color { uvec4 color[]; };
layout(std430, binding = 1) writeonly buffer Grey { uvec4 grey[]; };

void main() {
  const uint column = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  if (column * 4 >= params.grey.pitch || y >= params.grey.height) return;

  const uint from = (layer * params.color.layerStride + y * params.color.pitch) / 4 + column * 3;
  uint words[12];
  for (uint i = 0; i < 3; ++i) {
    const uvec4 load = color[from + i];
    for (uint j = 0; j < 4; ++j) words[i * 4 + j] = load[j];
  }

  uvec4 result = uvec4(0);
  for (uint i = 0; i < kPerLoad; ++i) {
    uint channel[3];
    for (uint c = 0; c < 3; ++c) {
      const uint at = i * 3 + c;
      channel[c] = unpack(words[at / kPerWord], at % kPerWord);
    }
    const uint value = (19 * channel[0] + 183 * channel[1] + 54 * channel[2] + 128) >> 8;
    result[i / kPerWord] |= value << ((i % kPerWord) * kBits);
  }
  grey[(layer * params.grey.layerStride + y * params.grey.pitch) / 4 + column] = result;
}
