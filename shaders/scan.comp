// Computes statistics of a plane and lists its candidates while reading the plane only once.
//
// Input: the plane (the response), the threshold and prominence of each layer in `feedback`, and a mask. Runs once the
// plane is made. Output: one PlaneStatistics per workgroup, which `statistics_merge` joins; a list of candidates per
// layer in any order; and their number. Candidates are defined in candidate.glsl. Passes that run at the same time
// take candidates from `post` (post.glsl). The kernel also sets the counts for the next frame to 0.
//
// One invocation walks down `rowsPerThread` rows of one column of 16-byte loads. So the pixels to ignore at the end of
// a row are the same in all of its rows. It first marks, with one bit per row, the loads that have a pixel at or above
// the threshold, and searches only these for candidates afterwards. llvmpipe executes both sides of every branch but
// skips a loop that no lane enters, so the search is a loop. With four rows per turn llvmpipe takes a third less time.
//
// Within a workgroup all sums have 32 bits: the sum of the values, and the sums of the lower and of the upper 16 bits
// of the squares. Each stays below 2^32 because a workgroup has at most 65,536 pixels. Only the result of the
// workgroup is widened to 64 bits. (64-bit sums inside the subgroup reduction came out wrong on NVIDIA's driver 580.)
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#ifdef BYTES_AT_ONCE
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
#endif
#include "shared/params.h"
#include "shared/feedback.h"
#include "load.glsl"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kSeek = 0u;    // 1: list candidates; 0: statistics only
layout(constant_id = 3) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set
layout(constant_id = 4) const uint kAlone = 0u;   // 1: the workgroup is one subgroup
layout(constant_id = 5) const uint kProminence = 1u;  // 0: no layer has a prominence

layout(push_constant) uniform Push { ScanParams params; };
PLANE_OF_LOADS(0, plane);
layout(std430, binding = 1) coherent writeonly buffer Parts { PlaneStatistics parts[]; };
layout(std140, binding = 2) uniform Host { Feedback feedback; };
layout(std430, binding = 3) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 4) coherent buffer Counts { LayerResult results[]; };  // must be 0; `candidates` is counted
layout(std430, binding = 5) coherent writeonly buffer List { Candidate list[]; };  // kMaxListed per layer
PLANE_OF_WORDS(6, planeWords);  // the same plane, read word by word
layout(std430, binding = 7) writeonly buffer Next { LayerResult next[]; };  // `results` of the next frame, set to 0
#ifdef LOADS_FOR_CPUS
// The number of workgroups along x that `refine` needs for the layer with the most candidates; must be 0.
layout(std430, binding = 8) buffer Groups { uint groups[]; };
#else
layout(std430, binding = 8) coherent writeonly buffer Post { uint post[]; };
#include "post.glsl"
#endif

#include "candidate.glsl"
#include "mask.glsl"
void listCandidates(uint layer, uvec2 at, uint threshold, uint prominence);
#include "scan_part.glsl"

// Lists the candidates in a load.
void listCandidates(uint layer, uvec2 at, uint threshold, uint prominence) {
  const uvec4 load = loadAt(layer, at);
  // Keeps only pixels that are bright and not below their neighbours in the load. Few pixels of a marker remain.
  uint bright = 0, before = 0;
  for (uint i = 0; i < kPerLoad; ++i) {
    const bool there = at.x * kPerLoad + i < params.plane.width;
    const uint value = there ? unpack(load[i / kPerWord], i % kPerWord) : 0;
    if (value > before) bright &= ~(1u << i >> 1);
    bright |= uint(value >= max(threshold, before)) << i;
    before = value;
  }
  bright &= keepOf(layer, at);
  while (bright != 0) {
    const uint x = at.x * kPerLoad + uint(findLSB(bright));
    bright &= bright - 1;
    const uint value = valueAt(params.plane, layer, x, at.y);
    if (!isPeak(params.plane, layer, x, at.y, value, prominence)) continue;
    const uint slot = atomicAdd(results[layer].candidates, 1);
    if (slot < kMaxListed) list[layer * kMaxListed + slot] = Candidate(value, at.y << 16 | x);
#ifdef LOADS_FOR_CPUS
    if (slot < kMostCounted) atomicMax(groups[0], slot + 1);
#else
    if (slot < params.posted) {
      const uvec2 words = toPost(Candidate(value, at.y << 16 | x));
      post[postOf(layer, slot)] = words.x;
      post[postOf(layer, slot) + 1] = words.y;
    }
#endif
  }
}

void main() {
  const uint columns = (params.plane.width + kPerLoad - 1) / kPerLoad;
  const uint layer = gl_WorkGroupID.z;
  const uvec2 first = uvec2(gl_GlobalInvocationID.x % columns,
                            gl_GlobalInvocationID.x / columns * params.rowsPerThread);
  if (kSeek != 0 && gl_GlobalInvocationID.x == 0) next[layer] = LayerResult(0, 0, 0, 0);
  Part part = noPart();
  if (first.y < params.plane.height) {
    const uint threshold = kSeek != 0 ? feedback.layers[layer].threshold : 0;
    const uint prominence = kSeek != 0 && kProminence != 0 ? feedback.layers[layer].prominence : 0;
    part = ofColumn(layer, first, columns, min(params.rowsPerThread, params.plane.height - first.y),
                    threshold, prominence);
  }
  part = subgroupCombine(part);
  const uint out_ = layer * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (kAlone != 0) {
    if (subgroupElect()) parts[out_] = widen(part);
  } else {
    if (subgroupElect()) perSubgroup[gl_SubgroupID] = part;
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0) parts[out_] = ofSubgroups();
  }
#ifndef LOADS_FOR_CPUS
  if (params.posted == 0 || gl_LocalInvocationIndex != 0) return;
  memoryBarrierBuffer();
  atomicAdd(results[layer].scanned, 1);
#endif
}
