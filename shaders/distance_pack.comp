// Packs a volume of one byte per voxel to one bit per voxel, which is 1 if the byte is not 0. Rows of bits are padded
// to whole words, and lower bits have a lower x. It is the first pass for volumes of bytes. One invocation makes one
// word.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/distance.h"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DistancePackParams params; };
layout(std430, binding = 0) readonly buffer Bytes { uint bytes[]; };
layout(std430, binding = 1) writeonly buffer Bits { uint bits[]; };

// Returns a bit for each of four bytes, which is 1 if the byte is not 0.
uint nonZero(uint four) {
  return uint((four & 0xffu) != 0) | uint((four & 0xff00u) != 0) << 1 |
         uint((four & 0xff0000u) != 0) << 2 | uint((four & 0xff000000u) != 0) << 3;
}

void main() {
  const DistanceShape shape = params.shape;
  if (gl_GlobalInvocationID.x >= shape.words * shape.height) return;
  const uint row = gl_GlobalInvocationID.y * shape.height + gl_GlobalInvocationID.x / shape.words;
  const uint x = gl_GlobalInvocationID.x % shape.words * 32;
  const uint first = row * shape.width + x;
  const uint count = min(32, shape.width - x);
  uint word = 0;
  if (shape.width % 4 == 0) {
    for (uint i = 0; i < count; i += 4) word |= nonZero(bytes[(first + i) / 4]) << i;
  } else {
    for (uint i = 0; i < count; ++i)
      word |= uint((bytes[(first + i) / 4] >> (first + i) % 4 * 8 & 0xffu) != 0) << i;
  }
  bits[row * shape.words + x / 32] = word;
}
