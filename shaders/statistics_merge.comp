// Merges the partial statistics that `scan` left into one PlaneStatistics per layer. Runs after `scan`, or at the same
// time if `scanners` is not 0: then it waits until `scan` has finished the layer.
//
// Input: the parts, and the plane that `scan` read. Output: the statistics, and samples if `step` is not 0.
// Workgroup 0 of a layer merges the parts as a tree, half as many invocations in each round. The parts only name the
// loads that contain the extrema, so two invocations then search these loads for the exact pixels. Further workgroups
// of the layer copy the pixels of a wide grid (takeSamples()). If there are none, workgroup 0 does that, too.
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
layout(std430, binding = 0) coherent readonly buffer Parts { PlaneStatistics parts[]; };
layout(std430, binding = 1) writeonly buffer Layers { PlaneStatistics layers[]; };
layout(std430, binding = 2) readonly buffer Plane { uvec4 plane[]; };
layout(std430, binding = 3) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 4) writeonly buffer Samples { uint samples[]; };  // kMaxSamples per layer
layout(std430, binding = 5) volatile coherent readonly buffer Counts { LayerResult counts[]; };  // written by `scan`
layout(std430, binding = 6) writeonly buffer Late { uint late[]; };

#include "mask.glsl"
#include "statistics_places.glsl"
#define SCANNED(layer) counts[layer].scanned
#include "await.glsl"

shared PlaneStatistics partial[kGroup];

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  const uint own = gl_WorkGroupID.x, groups = gl_NumWorkGroups.x;
  if (params.step != 0 && (own > 0 || groups == 1))
    takeSamples(layer, groups == 1 ? 0 : own - 1, groups == 1 ? 1 : groups - 1);
  if (own > 0) return;
  if (params.scanners != 0 && !awaitScan(layer, params.scanners)) return;
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
