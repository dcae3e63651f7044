// Candidates of a response plane: pixels at or above the threshold and not below any of their 8
// neighbours. One workgroup a tile writes them as a bitmap, with the tile's best and the layer's
// count. A bitmap has room for any image, a flat one included, so nothing is ever cut: the way for
// frames with more candidates than `resolve` takes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "tile.glsl"

layout(constant_id = 1) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(local_size_x = 64) in;
const uint kGroup = 64u;
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

// The candidates among the pixels of one load at (x, y), which is in the image.
void examine(uint layer, uint x, uint y, uint row, uint column, uint threshold) {
  const uvec4 load = plane[wordOf(params.plane, layer, x, y) / 4];
  if (greatest(load) < threshold) return;  // nearly all loads of a dark image with bright markers
  const uint kept = kMasked != 0 ? maskBits(params.maskPitch, params.plane.height, layer, x, y) : ~0u;
  for (uint i = 0; i < kPerLoad && x + i < params.plane.width; ++i) {
    const uint value = unpack(load[i / kPerWord], i % kPerWord);
    if (value < threshold || (kept >> i & 1) == 0) continue;
    if (!isPeak(params.plane, layer, x + i, y, value, feedback.layers[layer].prominence)) continue;
    atomicOr(rows[row], 1u << (column + i));
    atomicMax(best, tileKey(value, row * kTile + column + i));
  }
}

void main() {
  const uvec2 tile = gl_WorkGroupID.xy;
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  if (self == 0) {
    best = 0;
    count = 0;
  }
  if (self < kTile) rows[self] = 0;
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
  if (self < kTile) {
    bitmap[bitmapWord(layer, tiles, tileIndex, self)] = rows[self];
    if (rows[self] != 0) atomicAdd(count, bitCount(rows[self]));
  }
  barrier();
  if (self == 0) {
    keys[layer * tiles + tileIndex] = best;
    if (count != 0) atomicAdd(results[layer].candidates, count);
  }
}
