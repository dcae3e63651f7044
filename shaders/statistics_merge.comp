// Statistics of a plane, second step: the parts of a layer become one, and the loads that hold its
// extrema are looked through. One workgroup a layer.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "shared/results.h"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;  // a power of two
layout(constant_id = 2) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(push_constant) uniform Push { StatisticsMergeParams params; };
layout(std430, binding = 0) readonly buffer Parts { PlaneStatistics parts[]; };
layout(std430, binding = 1) writeonly buffer Layers { PlaneStatistics layers[]; };
layout(std430, binding = 2) readonly buffer Plane { uvec4 plane[]; };
layout(std430, binding = 3) readonly buffer Mask { uint mask[]; };

#include "mask.glsl"

shared PlaneStatistics partial[kGroup];

// Raster index of the first pixel of a load that counts and has `value`.
uint findIn(uint layer, uint index, uint value) {
  if (index == kNoIndex) return kNoIndex;
  const uint columns = (params.plane.width + kPerLoad - 1) / kPerLoad;
  const uvec2 at = uvec2(index % columns, index / columns);
  const uvec4 load = plane[(layer * params.plane.layerStride + at.y * params.plane.pitch) / 4 + at.x];
  uint same = 0;
  for (uint i = 0; i < kPerLoad; ++i) {
    same |= uint(unpack(load[i / kPerWord], i % kPerWord) == value) << i;
  }
  same &= insideBits(params.plane.width, at.x);
  const uint x = at.x * kPerLoad;
  if (kMasked != 0) same &= maskBits(params.maskPitch, params.plane.height, layer, x, at.y);
  return rasterIndex(params.plane, x + uint(findLSB(same)), at.y);
}

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
  if (self != 0) return;
  v = partial[0];
  v.leastIndex = findIn(layer, v.leastIndex, v.least);
  v.mostIndex = findIn(layer, v.mostIndex, v.most);
  layers[layer] = v;
}
