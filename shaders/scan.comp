// Statistics of a plane and its candidates in one reading: one PlaneStatistics for every
// workgroup's part (`statistics_merge` joins them), and a list of the pixels at or above the
// threshold and not below any of their neighbours.
//
// An invocation walks down one column of 16-byte loads. Sums are kept in 32 bits throughout a
// workgroup: the values' sum, and the sums of the lower and upper halves of the squares. Each stays
// below 2^32 while a workgroup has at most 65,536 pixels. Only the workgroup's result is carried to
// 64 bits. (64-bit sums inside the subgroup reduction came out wrong on NVIDIA's driver 580.)
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "statistics.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kSeek = 0u;    // 1: list candidates, too
layout(constant_id = 3) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(push_constant) uniform Push { ScanParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std430, binding = 1) writeonly buffer Parts { PlaneStatistics parts[]; };
layout(std140, binding = 2) uniform Host { Feedback feedback; };
layout(std430, binding = 3) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 4) buffer Counts { uint counts[]; };  // candidates of each layer
layout(std430, binding = 5) writeonly buffer List { Candidate list[]; };  // kMaxListed a layer

#include "candidate.glsl"
#include "mask.glsl"

struct Part {
  uvec3 sums;  // of the values, and of the lower and upper halves of their squares
  uint least, leastIndex, most, mostIndex;
};

shared Part perSubgroup[kGroup];

struct Extrema {
  uint least, leastRow, most, mostRow;
};

// Adds the values of a word, of which those of pixels that do not count are 0.
void addWord(uint word, inout uvec3 sums) {
  if (kBits == 8) {
    const uvec4 v = uvec4(word, word >> 8, word >> 16, word >> 24) & 0xffu;
    sums.x += v.x + v.y + v.z + v.w;
    sums.y += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;  // of 65,536 pixels: below 2^32
  } else {
    const uvec2 v = uvec2(word & 0xffffu, word >> 16);
    const uvec2 square = v * v;
    sums.x += v.x + v.y;
    sums.y += (square.x & 0xffffu) + (square.y & 0xffffu);
    sums.z += (square.x >> 16) + (square.y >> 16);
  }
}

uint greatest(uvec4 load) {
  uint result = 0;
  for (uint i = 0; i < kPerLoad; ++i) result = max(result, unpack(load[i / kPerWord], i % kPerWord));
  return result;
}

void seek(uint layer, uint x, uint y, uvec4 load, uvec4 keep, uint threshold) {
  for (uint i = 0; i < kPerLoad; ++i) {
    const uint value = unpack(load[i / kPerWord], i % kPerWord);
    if (value < threshold || unpack(keep[i / kPerWord], i % kPerWord) == 0) continue;
    if (!isPeak(params.plane, layer, x + i, y, value)) continue;
    const uint slot = atomicAdd(counts[layer], 1);
    if (slot < kMaxListed) list[layer * kMaxListed + slot] = Candidate(value, y << 16 | (x + i));
  }
}

uint loadIndex(uint layer, uint column, uint y) {
  return (layer * params.plane.layerStride + y * params.plane.pitch) / 4 + column;
}

// All bits of the pixels of a load that are in the image and not masked.
uvec4 keepOf(uint layer, uint column, uint y) {
  const uint x = column * kPerLoad;
  uint bits = x + kPerLoad <= params.plane.width ? ~0u : (1u << (params.plane.width - x)) - 1;
  if (kMasked != 0) bits &= maskBits(params.maskPitch, params.plane.height, layer, x, y);
  return spread(bits);
}

// Raster index of the first counting pixel of a load that has `value`.
uint findIn(uint layer, uint column, uint y, uint value) {
  if (y == kNoIndex) return kNoIndex;
  const uvec4 load = plane[loadIndex(layer, column, y)];
  const uvec4 keep = keepOf(layer, column, y);
  uint first = kPerLoad;
  for (uint i = kPerLoad; i-- > 0;) {
    const bool kept = unpack(keep[i / kPerWord], i % kPerWord) != 0;
    if (kept && unpack(load[i / kPerWord], i % kPerWord) == value) first = i;
  }
  return rasterIndex(params.plane, column * kPerLoad + first, y);
}

Part ofColumn(uint column, uint firstRow, uint layer) {
  Part part = Part(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  uint leastRow = kNoIndex;
  uint mostRow = kNoIndex;
  const uint threshold = kSeek != 0 ? feedback.layers[layer].threshold : 0;
  const uint endRow = min(firstRow + params.rowsPerThread, params.plane.height);
  uvec4 keep = keepOf(layer, column, firstRow);
  for (uint y = firstRow; y < endRow; ++y) {
    if (kMasked != 0) keep = keepOf(layer, column, y);
    if (keep == uvec4(0)) continue;
    const uvec4 load = plane[loadIndex(layer, column, y)];
    const uvec4 values = load & keep;
    for (uint i = 0; i < 4; ++i) addWord(values[i], part.sums);
    const uint most = greatest(values);
    if (most > part.most || mostRow == kNoIndex) {
      part.most = most;
      mostRow = y;
    }
    const uint least = kFull - greatest(~load & keep);
    if (least < part.least) {
      part.least = least;
      leastRow = y;
    }
    if (kSeek != 0 && most >= threshold)  // hardly any load of a dark image with bright markers
      seek(layer, column * kPerLoad, y, load, keep, threshold);
  }
  part.mostIndex = findIn(layer, column, mostRow, part.most);
  part.leastIndex = findIn(layer, column, leastRow, part.least);
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
  const Wide squares = kBits == 8 ? Wide(v.sums.y, 0) : fromHalves(v.sums.y, v.sums.z);
  return PlaneStatistics(v.sums.x, 0, squares.low, squares.high, v.least, v.leastIndex, v.most,
                         v.mostIndex);
}

void main() {
  const uint columns = params.plane.pitch / 4;
  const uint column = gl_GlobalInvocationID.x % columns;
  const uint firstRow = gl_GlobalInvocationID.x / columns * params.rowsPerThread;
  const uint layer = gl_WorkGroupID.z;
  Part part = Part(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  if (firstRow < params.plane.height && column * kPerLoad < params.plane.width) {
    part = ofColumn(column, firstRow, layer);
  }
  part = subgroupCombine(part);
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = part;
  barrier();
  if (gl_LocalInvocationIndex != 0) return;

  PlaneStatistics whole = widen(perSubgroup[0]);
  for (uint i = 1; i < gl_NumSubgroups; ++i) whole = combine(whole, widen(perSubgroup[i]));
  parts[layer * gl_NumWorkGroups.x + gl_WorkGroupID.x] = whole;
}
