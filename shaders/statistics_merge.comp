// Statistics of a plane, second step: the parts of a layer become one. One workgroup a layer.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/results.h"
#include "statistics.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { StatisticsMergeParams params; };
layout(std430, binding = 0) readonly buffer Parts { PlaneStatistics parts[]; };
layout(std430, binding = 1) writeonly buffer Layers { PlaneStatistics layers[]; };

void main() {
  const uint layer = gl_WorkGroupID.z;
  PlaneStatistics v = noStatistics();
  for (uint i = gl_LocalInvocationIndex; i < params.parts; i += kStatisticsGroup) {
    v = combine(v, parts[layer * params.parts + i]);
  }
  v = workgroupCombine(v);
  if (gl_LocalInvocationIndex == 0) layers[layer] = v;
}
