// Makes a record for every word of the rows of bits (first step of the distance transform). It runs after
// `distance_pack`, or first if the volume comes in bits. One invocation makes one record.
//
// A record holds the features of the word as bits, and below them the columns of the nearest feature in the words
// before it (lower 16 bits) and in the words after it. The distances along the row of all 32 voxels follow from that.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/distance.h"
#include "distance_row.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DistanceRowsParams params; };
layout(std430, binding = 0) readonly buffer Bits { uint bits[]; };
layout(std430, binding = 1) writeonly buffer Records { uvec2 records[]; };

// Returns the features of a word. Bits beyond the width are 0.
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
