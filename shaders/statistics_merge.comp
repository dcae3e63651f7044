// Statistics of a plane, second step: the parts of a layer become one. One workgroup a layer.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "shared/results.h"
#include "statistics.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;  // a power of two

layout(push_constant) uniform Push { StatisticsMergeParams params; };
layout(std430, binding = 0) readonly buffer Parts { PlaneStatistics parts[]; };
layout(std430, binding = 1) writeonly buffer Layers { PlaneStatistics layers[]; };

shared PlaneStatistics partial[kGroup];

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  PlaneStatistics v = noStatistics();
  for (uint i = self; i < params.parts; i += kGroup) v = combine(v, parts[layer * params.parts + i]);
  partial[self] = v;
  for (uint half_ = kGroup / 2; half_ > 0; half_ /= 2) {
    barrier();
    if (self < half_) partial[self] = combine(partial[self], partial[self + half_]);
  }
  if (self == 0) layers[layer] = partial[0];
}
