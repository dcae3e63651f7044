// Statistics of a plane, first step: one PlaneStatistics for every workgroup's part.
// An invocation walks down one column of 16-byte loads, so the padding at the end of a row is
// masked the same way in every row.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/results.h"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { StatisticsParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std430, binding = 1) writeonly buffer Parts { PlaneStatistics parts[]; };

PlaneStatistics ofColumn(uint column, uint firstRow, uint layer) {
  PlaneStatistics result = noStatistics();
  const uint x = column * kPerLoad;
  const uint valid = min(kPerLoad, params.plane.width - x);
  const uint endRow = min(firstRow + params.rowsPerThread, params.plane.height);
  Wide sum = Wide(0, 0);
  Wide squares = Wide(0, 0);
  for (uint y = firstRow; y < endRow; ++y) {
    const uvec4 load = plane[(layer * params.plane.layerStride + y * params.plane.pitch) / 4 + column];
    // Value and place in one key: the extreme key is the extreme value that stands first.
    uint mostKey = 0;
    uint leastKey = 0xffffffffu;
    for (uint i = 0; i < kPerLoad; ++i) {
      if (i >= valid) break;
      const uint value = unpack(load[i / kPerWord], i % kPerWord);
      sum.low += value;  // at most kPerLoad * rowsPerThread * 65535: the host keeps that in a word
      squares = addSquare(squares, value);
      mostKey = max(mostKey, value << 4 | (15 - i));
      leastKey = min(leastKey, value << 4 | i);
    }
    const uint raster = rasterIndex(params.plane, x, y);
    if ((mostKey >> 4) > result.most || result.mostIndex == kNoIndex) {
      result.most = mostKey >> 4;
      result.mostIndex = raster + 15 - (mostKey & 15);
    }
    if ((leastKey >> 4) < result.least) {
      result.least = leastKey >> 4;
      result.leastIndex = raster + (leastKey & 15);
    }
  }
  result.sumLow = sum.low;
  result.squaresLow = squares.low;
  result.squaresHigh = squares.high;
  return result;
}

void main() {
  const uint column = gl_GlobalInvocationID.x;
  const uint layer = gl_WorkGroupID.z;
  const bool inside = column * kPerLoad < params.plane.width;
  const PlaneStatistics part =
      inside ? ofColumn(column, gl_WorkGroupID.y * params.rowsPerThread, layer) : noStatistics();
  const PlaneStatistics whole = workgroupCombine(part);
  if (gl_LocalInvocationIndex == 0) {
    const uint inLayer = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    parts[layer * gl_NumWorkGroups.x * gl_NumWorkGroups.y + inLayer] = whole;
  }
}
