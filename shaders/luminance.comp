// Computes the luminance of an interleaved blue-green-red plane: (54 R + 183 G + 19 B + 128) >> 8. The result has as
// many bits as the source. It is the first pass of a colour frame. One invocation writes one load (16 bytes) of grey
// from three loads of colour.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "load.glsl"
#include "plane.glsl"

layout(local_size_x = 16, local_size_y = 4) in;

layout(push_constant) uniform Push { LuminanceParams params; };
PLANE_OF_LOADS(0, color);
layout(std430, binding = 1) writeonly buffer Grey { Stored grey[]; };

uint weigh(uint blue, uint green, uint red) {
  return (19 * blue + 183 * green + 54 * red + 128) >> 8;
}

// Returns one word of grey from three words of colour: four pixels of 8 bits, or two of 16.
uint convert(uint a, uint b, uint c) {
  if (kBits == 8) {
    return weigh(a & 0xffu, a >> 8 & 0xffu, a >> 16 & 0xffu) |
           weigh(a >> 24, b & 0xffu, b >> 8 & 0xffu) << 8 |
           weigh(b >> 16 & 0xffu, b >> 24, c & 0xffu) << 16 |
           weigh(c >> 8 & 0xffu, c >> 16 & 0xffu, c >> 24) << 24;
  }
  return weigh(a & 0xffffu, a >> 16, b & 0xffffu) | weigh(b >> 16, c & 0xffffu, c >> 16) << 16;
}

void main() {
  const uint column = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  if (column * 4 >= params.grey.pitch || y >= params.grey.height) return;

  const uint from = (layer * params.color.layerStride + y * params.color.pitch) / 4 + column * 3;
  const uvec4 a = loadOf(color, from);
  const uvec4 b = loadOf(color, from + 1);
  const uvec4 c = loadOf(color, from + 2);
  grey[(layer * params.grey.layerStride + y * params.grey.pitch) / 4 + column] =
      stored(uvec4(convert(a.x, a.y, a.z), convert(a.w, b.x, b.y), convert(b.z, b.w, c.x),
                   convert(c.y, c.z, c.w)));
}
