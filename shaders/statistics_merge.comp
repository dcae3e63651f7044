// Statistics of a plane, second step: the parts of a layer become one, and the loads that hold its
// extrema are looked through. If wanted, pixels of a wide grid are copied. One workgroup a layer;
// others beside it, if there are any, take the samples.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "shared/results.h"
#include "shared/limits.h"
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
layout(std430, binding = 4) writeonly buffer Samples { uint samples[]; };  // kMaxSamples a layer

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

// Pixels at every step-th place, row by row; kNoIndex where they do not count.
void takeSamples(uint layer, uint group, uint groups) {
  const uint step_ = max(params.step, 1);
  const uvec2 first = uvec2(step_ / 2);
  const uvec2 number = (uvec2(params.plane.width, params.plane.height) - first + step_ - 1) / step_;
  for (uint i = group * kGroup + gl_LocalInvocationIndex; i < number.x * number.y; i += groups * kGroup) {
    const uvec2 at = first + step_ * uvec2(i % number.x, i / number.x);
    const uint word = wordOf(params.plane, layer, at.x, at.y);
    uint value = unpack(plane[word / 4][word % 4], at.x % kPerWord);
    if (kMasked != 0 && (maskBits(params.maskPitch, params.plane.height, layer, at.x, at.y) & 1) == 0)
      value = kNoIndex;
    samples[layer * kMaxSamples + i] = value;
  }
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  const uint own = gl_WorkGroupID.x, groups = gl_NumWorkGroups.x;
  if (params.step != 0 && (own > 0 || groups == 1))
    takeSamples(layer, groups == 1 ? 0 : own - 1, groups == 1 ? 1 : groups - 1);
  if (own > 0) return;
  PlaneStatistics v = noStatistics();
  for (uint i = self; i < params.parts; i += kGroup) v = combine(v, parts[layer * params.parts + i]);
  partial[self] = v;
  for (uint half_ = kGroup / 2; half_ > 0; half_ /= 2) {
    barrier();
    if (self < half_) partial[self] = combine(partial[self], partial[self + half_]);
  }
  barrier();
  if (self > 1) return;
  v = partial[0];
  const uint found = findIn(layer, self == 0 ? v.leastIndex : v.mostIndex, self == 0 ? v.least : v.most);
  if (self == 1) {
    layers[layer].mostIndex = found;
    return;
  }
  layers[layer].sumLow = v.sumLow;
  layers[layer].sumHigh = v.sumHigh;
  layers[layer].squaresLow = v.squaresLow;
  layers[layer].squaresHigh = v.squaresHigh;
  layers[layer].least = v.least;
  layers[layer].leastIndex = found;
  layers[layer].most = v.most;
}
