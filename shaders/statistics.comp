// Statistics of a plane, first step: one PlaneStatistics for every workgroup's part.
// An invocation walks down one column of 16-byte loads, so the padding at the end of a row is
// masked the same way in every row.
//
// Sums are kept in 32 bits throughout a workgroup: the values' sum, and the sums of the lower and
// upper halves of the squares. Each stays below 2^32 while kGroup * rowsPerThread * 8 <= 65,537,
// 16-bit pixels (8-bit ones are smaller by more than they are more). Only the workgroup's result is
// carried to 64 bits. (64-bit sums inside the subgroup reduction came out wrong on NVIDIA's driver 580.)
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/results.h"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x = 64) in;
const uint kGroup = 64u;

layout(push_constant) uniform Push { StatisticsParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std430, binding = 1) writeonly buffer Parts { PlaneStatistics parts[]; };

struct Part {
  uvec3 sums;  // of the values, and of the lower and upper halves of their squares
  uint least, leastIndex, most, mostIndex;
};

shared Part perSubgroup[kGroup];

Part ofColumn(uint column, uint firstRow, uint layer) {
  Part part = Part(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  const uint x = column * kPerLoad;
  const uint valid = min(kPerLoad, params.plane.width - x);
  const uint endRow = min(firstRow + params.rowsPerThread, params.plane.height);
  for (uint y = firstRow; y < endRow; ++y) {
    const uvec4 load = plane[(layer * params.plane.layerStride + y * params.plane.pitch) / 4 + column];
    // Value and place in one key: the extreme key is the extreme value that stands first.
    uint mostKey = 0;
    uint leastKey = 0xffffffffu;
    for (uint i = 0; i < kPerLoad; ++i) {
      if (i >= valid) break;
      const uint value = unpack(load[i / kPerWord], i % kPerWord);
      const uint square = value * value;
      part.sums += uvec3(value, square & 0xffffu, square >> 16);
      mostKey = max(mostKey, value << 4 | (15 - i));
      leastKey = min(leastKey, value << 4 | i);
    }
    const uint raster = rasterIndex(params.plane, x, y);
    if ((mostKey >> 4) > part.most || part.mostIndex == kNoIndex) {
      part.most = mostKey >> 4;
      part.mostIndex = raster + 15 - (mostKey & 15);
    }
    if ((leastKey >> 4) < part.least) {
      part.least = leastKey >> 4;
      part.leastIndex = raster + (leastKey & 15);
    }
  }
  return part;
}

Part subgroupCombine(Part v) {
  Part r;
  r.sums = subgroupAdd(v.sums);
  r.least = subgroupMin(v.least);
  r.leastIndex = subgroupMin(v.least == r.least ? v.leastIndex : kNoIndex);
  r.most = subgroupMax(v.most);
  r.mostIndex = subgroupMin(v.most == r.most ? v.mostIndex : kNoIndex);
  return r;
}

PlaneStatistics widen(Part v) {
  const Wide squares = fromHalves(v.sums.y, v.sums.z);
  return PlaneStatistics(v.sums.x, 0, squares.low, squares.high, v.least, v.leastIndex, v.most,
                         v.mostIndex);
}

void main() {
  const uint column = gl_GlobalInvocationID.x;
  const uint layer = gl_WorkGroupID.z;
  Part part = Part(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  if (column * kPerLoad < params.plane.width) {
    part = ofColumn(column, gl_WorkGroupID.y * params.rowsPerThread, layer);
  }
  part = subgroupCombine(part);
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = part;
  barrier();
  if (gl_LocalInvocationIndex != 0) return;

  PlaneStatistics whole = widen(perSubgroup[0]);
  for (uint i = 1; i < gl_NumSubgroups; ++i) whole = combine(whole, widen(perSubgroup[i]));
  const uint inLayer = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  parts[layer * gl_NumWorkGroups.x * gl_NumWorkGroups.y + inLayer] = whole;
}
