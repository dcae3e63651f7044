// Candidates of a response plane: pixels at or above the threshold and not below any of their 8
// neighbours. One workgroup a tile writes them as a bitmap, with the tile's best and the layer's
// count. A bitmap has room for any image, a flat one included, so nothing is ever cut: the way for
// frames with more candidates than `resolve` takes.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "tile.glsl"

layout(constant_id = 1) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(local_size_x_id = 2) in;
layout(constant_id = 2) const uint kGroup = 64u;  // the subgroup size on a CPU, where nothing waits then
const uint kLoadsPerRow = kTile / kPerLoad;  // 16-byte loads that cover a row of a tile

layout(push_constant) uniform Push { PeaksParams params; };
layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) writeonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = 4) buffer Counts { LayerResult results[]; };
layout(std430, binding = 5) readonly buffer Mask { uint mask[]; };
layout(std430, binding = 6) readonly buffer Words { uint planeWords[]; };  // the plane once more

shared uint best;
shared uint count;
shared uint rows[kTile];

#include "candidate.glsl"
#include "mask.glsl"

uint greatest(uvec4 load) {
  uint result = 0;
  for (uint i = 0; i < kPerLoad; ++i) result = max(result, unpack(load[i / kPerWord], i % kPerWord));
  return result;
}

// A load, and the pixel to both sides of it, of the rows above, at and below y; what is not in the image
// repeats a pixel that is.
struct Rows {
  uvec4 above, own, below;
  uint before, after;  // the greatest of three rows
};

uint greatest(uint layer, uint x, uvec3 y) {
  return max(max(valueAt(params.plane, layer, x, y.x), valueAt(params.plane, layer, x, y.y)),
             valueAt(params.plane, layer, x, y.z));
}

Rows rowsAt(uint layer, uint x, uint y, uvec4 own) {
  const uvec3 ys = uvec3(y == 0 ? 0 : y - 1, y, min(y + 1, params.plane.height - 1));
  Rows r;
  r.above = plane[wordOf(params.plane, layer, x, ys.x) / 4];
  r.own = own;
  r.below = plane[wordOf(params.plane, layer, x, ys.z) / 4];
  r.before = greatest(layer, x == 0 ? 0 : x - 1, ys);
  r.after = greatest(layer, min(x + kPerLoad, params.plane.width - 1), ys);
  return r;
}

// Of three rows the greatest of column i of a load at x, which may be beside the image.
uint greatestOf(Rows r, uint x, uint i) {
  const uint most = max(max(unpack(r.above[i / kPerWord], i % kPerWord), unpack(r.own[i / kPerWord], i % kPerWord)),
                        unpack(r.below[i / kPerWord], i % kPerWord));
  return x + i < params.plane.width ? most : 0;
}

// The pixels of one load at (x, y), which is in the image, that reach the threshold and are not below any
// neighbour, one bit each. All at once: bright areas have thousands of them.
uint topsOf(uint layer, uint x, uint y, uvec4 load, uint threshold) {
  const Rows rows = rowsAt(layer, x, y, load);
  uint tops = 0;
  uint left = rows.before;
  uint middle = greatestOf(rows, x, 0);
  [[unroll]] for (uint i = 0; i < kPerLoad; ++i) {
    const uint right = i + 1 < kPerLoad ? greatestOf(rows, x, i + 1) : rows.after;
    const uint value = unpack(load[i / kPerWord], i % kPerWord);
    const bool top = value >= threshold && value >= max(max(left, middle), right);
    tops |= uint(top && x + i < params.plane.width) << i;
    left = middle;
    middle = right;
  }
  return tops;
}

// The candidates among the pixels of one load at (x, y), which is in the image.
void examine(uint layer, uint x, uint y, uint row, uint column, uint threshold) {
  const uvec4 load = plane[wordOf(params.plane, layer, x, y) / 4];
  if (greatest(load) < threshold) return;  // nearly all loads of a dark image with bright markers
  uint tops = topsOf(layer, x, y, load, threshold);
  if (kMasked != 0) tops &= maskBits(params.maskPitch, params.plane.height, layer, x, y);
  const uint prominence = feedback.layers[layer].prominence;
  uint most = 0;
  for (uint left = tops; left != 0; left &= left - 1) {
    const uint i = uint(findLSB(left));
    const uint value = unpack(load[i / kPerWord], i % kPerWord);
    if (prominence != 0 && !isPeak(params.plane, layer, x + i, y, value, prominence)) {
      tops &= ~(1u << i);
      continue;
    }
    most = max(most, tileKey(value, row * kTile + column + i));
  }
  if (tops == 0) return;
  atomicOr(rows[row], tops << column);
  atomicMax(best, most);
}

void main() {
  const uvec2 tile = gl_WorkGroupID.xy;
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  if (self == 0) {
    best = 0;
    count = 0;
  }
  for (uint row = self; row < kTile; row += kGroup) rows[row] = 0;
  barrier();

  const uint threshold = feedback.layers[layer].threshold;
  for (uint i = self; i < kTile * kLoadsPerRow; i += kGroup) {
    const uint row = i / kLoadsPerRow;
    const uint column = i % kLoadsPerRow * kPerLoad;
    const uint x = tile.x * kTile + column;
    const uint y = tile.y * kTile + row;
    if (x < params.plane.width && y < params.plane.height) {
      examine(layer, x, y, row, column, threshold);
    }
  }
  barrier();

  const uint tiles = params.tilesX * params.tilesY;
  const uint tileIndex = tile.y * params.tilesX + tile.x;
  for (uint row = self; row < kTile; row += kGroup) {
    bitmap[bitmapWord(layer, tiles, tileIndex, row)] = rows[row];
    if (rows[row] != 0) atomicAdd(count, bitCount(rows[row]));
  }
  barrier();
  if (self == 0) {
    keys[layer * tiles + tileIndex] = best;
    if (count != 0) atomicAdd(results[layer].candidates, count);
  }
}
