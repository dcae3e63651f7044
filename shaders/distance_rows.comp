// Of every word of a row of bits: its features, and the nearest ones in the words before and after it.
// From such a record the distance along the row follows for each of its 32 voxels.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/distance.h"
#include "distance_row.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DistanceRowsParams params; };
layout(std430, binding = 0) readonly buffer Bits { uint bits[]; };
layout(std430, binding = 1) writeonly buffer Records { uvec2 records[]; };

uint wordOf(uint row, uint word) {
  uint value = bits[row * params.shape.words + word];
  if (params.invert != 0) value = ~value;
  const uint rest = params.shape.width - word * 32;
  return rest < 32 ? value & (1u << rest) - 1 : value;
}

void main() {
  const DistanceShape shape = params.shape;
  if (gl_GlobalInvocationID.x >= shape.words * shape.height) return;
  const uint row = gl_GlobalInvocationID.y * shape.height + gl_GlobalInvocationID.x / shape.words;
  const uint word = gl_GlobalInvocationID.x % shape.words;
  uint left = kNoColumn;
  for (uint i = word; i > 0 && left == kNoColumn; --i) {
    const uint value = wordOf(row, i - 1);
    if (value != 0) left = (i - 1) * 32 + uint(findMSB(value));
  }
  uint right = kNoColumn;
  for (uint i = word + 1; i < shape.words && right == kNoColumn; ++i) {
    const uint value = wordOf(row, i);
    if (value != 0) right = i * 32 + uint(findLSB(value));
  }
  records[row * shape.words + word] = uvec2(wordOf(row, word), left | right << 16);
}
