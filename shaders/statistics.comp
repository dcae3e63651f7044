// Computes the statistics of each layer of a plane of bytes in one dispatch, without a mask and without candidates.
//
// Input: the plane, and `sums`, which must be 0. Output: one PlaneStatistics per layer, samples, and `sums` at 0 again.
// The first `parts` workgroups of a layer read the plane. One invocation reads `rowsPerThread` rows of one column of
// 16-byte loads. The other workgroups copy the pixels of a wide grid (takeSamples()).
//
// Each workgroup adds its part to the sums of its layer in memory by atomics. The workgroup that is last to do so
// makes the layer's statistics from them. So no second dispatch has to merge the parts, as it does after `scan`, which
// would take 2 us more. The pass depends on nothing but the plane and may run at any time after the plane is made.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#ifdef BYTES_AT_ONCE
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
#endif
#include "shared/params.h"
#include "shared/results.h"
#include "shared/limits.h"
#include "load.glsl"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
const uint kMasked = 0u, kSeek = 0u;

layout(push_constant) uniform Push { StatisticsParams params; };
PLANE_OF_LOADS(0, plane);
layout(std430, binding = 1) coherent buffer Sums { uint sums[]; };  // kSums per layer; all 0 between two dispatches
layout(std430, binding = 2) writeonly buffer Layers { PlaneStatistics layers[]; };
layout(std430, binding = 3) writeonly buffer Samples { uint samples[]; };  // kMaxSamples per layer
layout(std430, binding = 4) readonly buffer Mask { uint mask[]; };  // unused; mask.glsl needs the name

#include "mask.glsl"
#include "statistics_places.glsl"
void listCandidates(uint layer, uvec2 at, uint threshold, uint prominence) {}
#include "scan_part.glsl"

// An extremum and its load as one number, so that one atomicMax keeps both. The upper 8 bits hold the height. The
// lower 24 bits hold kLastLoad minus the load, so that of equal heights the first load wins. 0 means no extremum.
const uint kLastLoad = (1u << 24) - 1;
uint keyOf(uint height, uint load) { return load == kNoIndex ? 0u : height << 24 | (kLastLoad - load); }
uint loadOfKey(uint key) { return key == 0 ? kNoIndex : kLastLoad - (key & kLastLoad); }

// Returns the place of the i-th sum of a layer. The sums lie kSumStride words apart, so that atomics on different sums
// do not wait for each other.
uint sumAt(uint layer, uint i) { return (layer * kSums + i) * kSumStride; }

// Adds the part of a workgroup to the sums of its layer. Returns true for the last of the layer's parts.
bool addPart(uint layer, PlaneStatistics part) {
  const uint sum = atomicAdd(sums[sumAt(layer, 0)], part.sumLow);
  const uint squares = atomicAdd(sums[sumAt(layer, 2)], part.squaresLow);
  atomicMax(sums[sumAt(layer, 4)], keyOf(kFull - part.least, part.leastIndex));
  atomicMax(sums[sumAt(layer, 5)], keyOf(part.most, part.mostIndex));
  if (sum + part.sumLow < sum) atomicAdd(sums[sumAt(layer, 1)], 1);
  if (squares + part.squaresLow < squares) atomicAdd(sums[sumAt(layer, 3)], 1);
  memoryBarrierBuffer();
  return atomicAdd(sums[sumAt(layer, 6)], 1) + 1 == params.parts;
}

// Writes the statistics of a layer from its sums, and sets the sums to 0 again.
void finish(uint layer) {
  memoryBarrierBuffer();
  PlaneStatistics v = noStatistics();
  v.sumLow = atomicExchange(sums[sumAt(layer, 0)], 0);
  v.sumHigh = atomicExchange(sums[sumAt(layer, 1)], 0);
  v.squaresLow = atomicExchange(sums[sumAt(layer, 2)], 0);
  v.squaresHigh = atomicExchange(sums[sumAt(layer, 3)], 0);
  const uint least = atomicExchange(sums[sumAt(layer, 4)], 0);
  const uint most = atomicExchange(sums[sumAt(layer, 5)], 0);
  sums[sumAt(layer, 6)] = 0;
  if (most != 0) {
    v.least = kFull - (least >> 24);
    v.leastIndex = findIn(layer, loadOfKey(least), v.least);
    v.most = most >> 24;
    v.mostIndex = findIn(layer, loadOfKey(most), v.most);
  }
  layers[layer] = v;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  if (gl_WorkGroupID.x >= params.parts) {
    takeSamples(layer, gl_WorkGroupID.x - params.parts, gl_NumWorkGroups.x - params.parts);
    return;
  }
  const uint columns = (params.plane.width + kPerLoad - 1) / kPerLoad;
  const uvec2 first = uvec2(gl_GlobalInvocationID.x % columns,
                            gl_GlobalInvocationID.x / columns * params.rowsPerThread);
  Part part = noPart();
  if (first.y < params.plane.height)
    part = ofColumn(layer, first, columns, min(params.rowsPerThread, params.plane.height - first.y), 0, 0);
  part = subgroupCombine(part);
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = part;
  barrier();
  if (gl_LocalInvocationIndex != 0) return;
  if (addPart(layer, ofSubgroups())) finish(layer);
}
