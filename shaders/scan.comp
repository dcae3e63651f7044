// Statistics of a plane and its candidates in one reading: one PlaneStatistics for every
// workgroup's part (`statistics_merge` joins them), and a list of the pixels at or above the
// threshold and not below any of their neighbours.
//
// An invocation walks down one column of 16-byte loads, so that what to ignore at the end of a row is
// the same in every row. Loads with pixels at or above the threshold are remembered as bits and
// looked through afterwards: llvmpipe executes both sides of every branch, but leaves a loop that
// nobody is in.
//
// Sums are kept in 32 bits throughout a workgroup: the values' sum, and the sums of the lower and
// upper halves of the squares. Each stays below 2^32 while a workgroup has at most 65,536 pixels.
// Only the workgroup's result is carried to 64 bits. (64-bit sums inside the subgroup reduction came
// out wrong on NVIDIA's driver 580.)
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
layout(std430, binding = 6) readonly buffer Words { uint planeWords[]; };  // the plane once more

#include "candidate.glsl"
#include "mask.glsl"

struct Part {
  uvec3 sums;  // of the values, and of the lower and upper halves of their squares
  uint least, leastIndex, most, mostIndex;
};

shared Part perSubgroup[kGroup];

// A load: its column of loads, and its row.
uvec4 loadAt(uint layer, uvec2 at) {
  return plane[(layer * params.plane.layerStride + at.y * params.plane.pitch) / 4 + at.x];
}

// The pixels of a load that count, one bit each: in the image and not masked.
uint keepOf(uint layer, uvec2 at) {
  const uint x = at.x * kPerLoad;
  const uint inside = x + kPerLoad <= params.plane.width ? ~0u : (1u << (params.plane.width - x)) - 1;
  if (kMasked == 0) return inside;
  return inside & maskBits(params.maskPitch, params.plane.height, layer, x, at.y);
}

// What an invocation has seen: sums, and extrema with the rows of their loads.
struct Seen {
  uvec3 sums;  // of the values, and of the lower and upper halves of their squares
  uint least, leastRow, most, mostRow;
};

// Adds a word. Pixels that do not count are 0 in `values` and 0 in `complements`, the others' bits.
void addWord(uint values, uint complements, inout uvec3 sums, inout uint most, inout uint mostComplement) {
  if (kBits == 8) {
    const uint even = values & 0x00ff00ffu;
    const uint odd = values >> 8 & 0x00ff00ffu;
    const uint both = even + odd;
    sums.x += (both & 0xffffu) + (both >> 16);
    const uvec4 v = uvec4(even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16);
    sums.y += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;  // of 65,536 pixels: below 2^32
    most = max(most, max(max(v.x, v.y), max(v.z, v.w)));
    const uvec4 c = uvec4(complements, complements >> 8, complements >> 16, complements >> 24) & 0xffu;
    mostComplement = max(mostComplement, max(max(c.x, c.y), max(c.z, c.w)));
  } else {
    const uvec2 v = uvec2(values & 0xffffu, values >> 16);
    const uvec2 square = v * v;
    sums += uvec3(v.x + v.y, (square.x & 0xffffu) + (square.y & 0xffffu),
                  (square.x >> 16) + (square.y >> 16));
    most = max(most, max(v.x, v.y));
    mostComplement = max(mostComplement, max(complements & 0xffffu, complements >> 16));
  }
}

// Adds a load to what was seen; returns its greatest value that counts, or 0.
uint look(uvec4 load, uvec4 keep, uint y, inout Seen seen) {
  const uvec4 values = load & keep;
  const uvec4 complements = ~load & keep;
  uint most = 0;
  uint mostComplement = 0;
  for (uint i = 0; i < 4; ++i) addWord(values[i], complements[i], seen.sums, most, mostComplement);
  const bool any = kMasked == 0 || keep != uvec4(0);
  if (any && (most > seen.most || seen.mostRow == kNoIndex)) seen.mostRow = y;
  if (any && kFull - mostComplement < seen.least) seen.leastRow = y;
  seen.most = max(seen.most, most);
  if (any) seen.least = min(seen.least, kFull - mostComplement);
  return most;
}

// Lists the candidates in a load.
void seek(uint layer, uvec2 at, uint threshold) {
  const uvec4 load = loadAt(layer, at);
  const uint keep = keepOf(layer, at);
  uint bright = 0;
  for (uint i = 0; i < kPerLoad; ++i) {
    bright |= uint(unpack(load[i / kPerWord], i % kPerWord) >= threshold) << i;
  }
  bright &= keep;
  while (bright != 0) {
    const uint x = at.x * kPerLoad + uint(findLSB(bright));
    bright &= bright - 1;
    const uint value = valueAt(params.plane, layer, x, at.y);
    if (!isPeak(params.plane, layer, x, at.y, value)) continue;
    const uint slot = atomicAdd(counts[layer], 1);
    if (slot < kMaxListed) list[layer * kMaxListed + slot] = Candidate(value, at.y << 16 | x);
  }
}

// Raster index of the first pixel of a load that counts and has `value`.
uint findIn(uint layer, uvec2 at, uint value) {
  if (at.y == kNoIndex) return kNoIndex;
  const uvec4 load = loadAt(layer, at);
  uint same = 0;
  for (uint i = 0; i < kPerLoad; ++i) {
    same |= uint(unpack(load[i / kPerWord], i % kPerWord) == value) << i;
  }
  return rasterIndex(params.plane, at.x * kPerLoad + uint(findLSB(same & keepOf(layer, at))), at.y);
}

// Up to 32 rows of a column of loads.
Part ofColumn(uint layer, uvec2 first, uint rows) {
  const uint threshold = kSeek != 0 ? feedback.layers[layer].threshold : 0;
  uvec4 keep = spread(keepOf(layer, first));
  Seen seen = Seen(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  uint bright = 0;
  for (uint i = 0; i < rows; ++i) {
    const uvec2 at = first + uvec2(0, i);
    if (kMasked != 0) keep = spread(keepOf(layer, at));
    const uint most = look(loadAt(layer, at), keep, at.y, seen);
    bright |= uint(most >= threshold) << i;
  }
  while (kSeek != 0 && bright != 0) {
    seek(layer, first + uvec2(0, uint(findLSB(bright))), threshold);
    bright &= bright - 1;
  }
  return Part(seen.sums, seen.least, findIn(layer, uvec2(first.x, seen.leastRow), seen.least),
              seen.most, findIn(layer, uvec2(first.x, seen.mostRow), seen.most));
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
  const uint columns = (params.plane.width + kPerLoad - 1) / kPerLoad;
  const uint layer = gl_WorkGroupID.z;
  const uvec2 first = uvec2(gl_GlobalInvocationID.x % columns,
                            gl_GlobalInvocationID.x / columns * params.rowsPerThread);
  Part part = Part(uvec3(0), 0xffffffffu, kNoIndex, 0, kNoIndex);
  if (first.y < params.plane.height) {
    part = ofColumn(layer, first, min(params.rowsPerThread, params.plane.height - first.y));
  }
  part = subgroupCombine(part);
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = part;
  barrier();
  if (gl_LocalInvocationIndex != 0) return;

  PlaneStatistics whole = widen(perSubgroup[0]);
  for (uint i = 1; i < gl_NumSubgroups; ++i) whole = combine(whole, widen(perSubgroup[i]));
  parts[layer * gl_NumWorkGroups.x + gl_WorkGroupID.x] = whole;
}
