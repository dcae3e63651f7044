// Computes the distances along rows as a number of steps times the weight of a step. These are the beginning of
// distances that are counted in steps between neighbours. It runs after `distance_rows` and before `distance_sweep`.
// One invocation computes one voxel.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/distance.h"
#include "distance_row.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { DistanceStepsParams params; };
layout(std430, binding = 0) readonly buffer Records { uvec2 records[]; };
layout(std430, binding = 1) writeonly buffer Distances { uint distances[]; };

void main() {
  const uint x = gl_GlobalInvocationID.x;
  if (x >= params.shape.width) return;
  const uint row = gl_GlobalInvocationID.z * params.shape.height + gl_GlobalInvocationID.y;
  const uint column = nearestInRow(records[row * params.shape.words + x / 32], x);
  distances[row * params.shape.width + x] =
      column == kNoColumn ? kNoDistance : params.weight * uint(abs(int(column) - int(x)));
}
