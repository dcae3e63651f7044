// Computes the response "inverted", full scale minus the luminance, so that dark markers become peaks. It runs after
// the luminance is there. One invocation handles one load of 16 bytes. For packed values of 8 or 16 bits, full scale
// minus a value is the complement of every bit.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"

layout(local_size_x = 16, local_size_y = 4) in;

layout(push_constant) uniform Push { InvertParams params; };
layout(std430, binding = 0) readonly buffer Luminance { uvec4 luminance[]; };
layout(std430, binding = 1) writeonly buffer Response { uvec4 response[]; };

void main() {
  const uint column = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  if (column * 4 >= params.plane.pitch || y >= params.plane.height) return;
  const uint at = (gl_GlobalInvocationID.z * params.plane.layerStride + y * params.plane.pitch) / 4 +
                  column;
  response[at] = ~luminance[at];
}
