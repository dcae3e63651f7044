// Statistics of a plane of bytes alone, in one dispatch: those of every workgroup's part go into sums in
// memory, from which the last workgroup to come makes the layer's. Workgroups beyond `parts` take samples.
//
// A second dispatch, as behind `scan`, takes 2 us more.
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
layout(std430, binding = 1) coherent buffer Sums { uint sums[]; };  // kSums a layer; 0 in between
layout(std430, binding = 2) writeonly buffer Layers { PlaneStatistics layers[]; };
layout(std430, binding = 3) writeonly buffer Samples { uint samples[]; };  // kMaxSamples a layer
layout(std430, binding = 4) readonly buffer Mask { uint mask[]; };  // of nothing

#include "mask.glsl"
#include "statistics_places.glsl"
void listCandidates(uint layer, uvec2 at, uint threshold, uint prominence) {}
#include "scan_part.glsl"

// An extremum as one number, of which the greatest is kept: its height and its load, from the last one up.
const uint kLastLoad = (1u << 24) - 1;
uint keyOf(uint height, uint load) { return load == kNoIndex ? 0u : height << 24 | (kLastLoad - load); }
uint loadOfKey(uint key) { return key == 0 ? kNoIndex : kLastLoad - (key & kLastLoad); }

// Where the sums of a layer lie: each in a part of memory of its own, so that none waits for another.
uint sumAt(uint layer, uint i) { return (layer * kSums + i) * kSumStride; }

// Adds a workgroup's part; whether it was the last one.
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

// What all have added, which is 0 again afterwards.
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
