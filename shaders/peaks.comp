// Candidates of a response plane: pixels at or above the threshold and not below any of their 8
// neighbours. One workgroup a tile writes them as a bitmap, with the tile's best and the layer's
// count. A bitmap has room for any image, a flat one included, so nothing is ever cut: the way for
// frames with more candidates than `resolve` takes.
//
// A GPU's invocation has a load or two, and looks at what is around them where they are bright. On a CPU all
// invocations of a subgroup do what one of them does: there each walks down a part of the tile, and reads every
// row once.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "load.glsl"
#include "plane.glsl"
#include "tile.glsl"

layout(constant_id = 1) const uint kMasked = 0u;  // 1: only pixels whose bit in the mask is set

layout(local_size_x_id = 2) in;
layout(constant_id = 2) const uint kGroup = 64u;  // the subgroup size on a CPU, where nothing waits then
layout(constant_id = 3) const uint kProminence = 1u;  // 0: no layer has a prominence
const uint kLoadsPerRow = kTile / kPerLoad;  // 16-byte loads that cover a row of a tile
const uint kLoads = kTile * kLoadsPerRow;
const bool kWalks = kGroup < kTile;

layout(push_constant) uniform Push { PeaksParams params; };
PLANE_OF_LOADS(0, plane);
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) writeonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = 4) buffer Counts { LayerResult results[]; };
layout(std430, binding = 5) readonly buffer Mask { uint mask[]; };
PLANE_OF_WORDS(6, planeWords);  // the plane once more

shared uint best;
shared uint count;
shared uint topsOfLoads[kLoads];  // row by row

#include "candidate.glsl"
#include "mask.glsl"

// A column of loads of a tile.
struct Column {
  uint layer;
  uint inTile;   // px, from the tile's left
  uint x;        // px, in the image, also where the column is not
  uint inside_;  // its pixels that lie in the image, one bit each
  uvec4 keep;    // all bits of these
};

Column columnOf(uint layer, uint tile, uint i) {
  const uint x = tile * kTile + i * kPerLoad;
  const uint width = params.plane.width;
  const uint inside_ = x < width ? insideBits(width, x / kPerLoad) : 0;
  return Column(layer, i * kPerLoad, min(x, (width - 1) / kPerLoad * kPerLoad), inside_, spread(inside_));
}

// A load of a row, 0 beside the image, and the pixels to both sides of it, in the image.
struct Row {
  uvec4 load;
  uint before, after;
};

uvec4 loadAt(Column c, uint y) {
  return loadOf(plane, wordOf(params.plane, c.layer, c.x, y) / 4);
}

Row rowAt(Column c, uint y) {
  return Row(loadAt(c, y) & c.keep, valueAt(params.plane, c.layer, c.x == 0 ? 0 : c.x - 1, y),
             valueAt(params.plane, c.layer, min(c.x + kPerLoad, params.plane.width - 1), y));
}

uint pixelOf(uvec4 load, uint i) {
  return unpack(load[i / kPerWord], i % kPerWord);
}

uint greatest(uvec4 load) {
  uint result = 0;
  for (uint i = 0; i < kPerLoad; ++i) result = max(result, pixelOf(load, i));
  return result;
}

// A row and those above and below it.
struct Rows {
  Row above, own, below;
};

// Of three rows the greatest of the i-th pixel.
uint greatestOf(Rows r, uint i) {
  return max(max(pixelOf(r.above.load, i), pixelOf(r.own.load, i)), pixelOf(r.below.load, i));
}

// Pixels of a load, one bit each, and the key of the best, as if the load were the first of its tile.
struct Tops {
  uint bits;
  uint key;
};

// Those of `counts` that reach the threshold and are not below any neighbour. All at once: bright areas have
// thousands of them.
Tops topsOf(Rows r, uint counts, uint threshold) {
  Tops tops = Tops(0, 0);
  uint left = max(max(r.above.before, r.own.before), r.below.before);
  uint middle = greatestOf(r, 0);
  [[unroll]] for (uint i = 0; i < kPerLoad; ++i) {
    const uint after = max(max(r.above.after, r.own.after), r.below.after);
    const uint right = i + 1 < kPerLoad ? greatestOf(r, i + 1) : after;
    const uint value = pixelOf(r.own.load, i);
    const bool top = (counts & 1u << i) != 0 && value >= max(max(left, middle), max(right, threshold));
    tops.bits |= top ? 1u << i : 0;
    tops.key = max(tops.key, top ? tileKey(value, i) : 0);
    left = middle;
    middle = right;
  }
  return tops;
}

// Without those that are inside of something large.
Tops standingOut(Tops tops, Column c, uint y, uint threshold) {
  const uint prominence = feedback.layers[c.layer].prominence;
  if (kProminence == 0 || prominence == 0) return tops;
  Tops kept = Tops(0, 0);
  for (uint left = tops.bits; left != 0; left &= left - 1) {
    const uint i = uint(findLSB(left));
    const uint value = valueAt(params.plane, c.layer, c.x + i, y);
    if (isInside(params.plane, c.layer, c.x + i, y, value, prominence + (value - threshold) / 4)) continue;
    kept.bits |= 1u << i;
    kept.key = max(kept.key, tileKey(value, i));
  }
  return kept;
}

Tops candidatesOf(Rows r, Column c, uint y, uint threshold) {
  uint counts = y < params.plane.height ? c.inside_ : 0;
  if (kMasked != 0 && counts != 0) counts &= maskBits(params.maskPitch, params.plane.height, c.layer, c.x, y);
  return standingOut(topsOf(r, counts, threshold), c, y, threshold);
}

// What an invocation has found.
struct Found {
  uint count, key;
};

void add(inout Found found, Tops tops, Column c, uint row) {
  topsOfLoads[row * kLoadsPerRow + c.inTile / kPerLoad] = tops.bits;
  found.count += bitCount(tops.bits);
  if (tops.key != 0) found.key = max(found.key, tops.key - (row * kTile + c.inTile));
}

Found walk(uint layer, uvec2 tile, uint threshold) {
  const Column c = columnOf(layer, tile.x, gl_LocalInvocationIndex % kLoadsPerRow);
  const uint rows = kLoads / kGroup;
  const uint first = gl_LocalInvocationIndex / kLoadsPerRow * rows, last = params.plane.height - 1;
  const uint y = tile.y * kTile + first;
  Found found = Found(0, 0);
  Row above = rowAt(c, min(max(y, 1) - 1, last)), own = rowAt(c, min(y, last));
  for (uint i = 0; i < rows; ++i) {
    const Row below = rowAt(c, min(y + i + 1, last));
    add(found, candidatesOf(Rows(above, own, below), c, y + i, threshold), c, first + i);
    above = own;
    own = below;
  }
  return found;
}

Found lookEverywhere(uint layer, uvec2 tile, uint threshold) {
  Found found = Found(0, 0);
  for (uint i = gl_LocalInvocationIndex; i < kLoads; i += kGroup) {
    const Column c = columnOf(layer, tile.x, i % kLoadsPerRow);
    const uint row = i / kLoadsPerRow, y = tile.y * kTile + row, last = params.plane.height - 1;
    Tops tops = Tops(0, 0);
    // Nearly all loads of a dark image with bright markers are not.
    if (y <= last && greatest(loadAt(c, y)) >= threshold)
      tops = candidatesOf(Rows(rowAt(c, max(y, 1) - 1), rowAt(c, y), rowAt(c, min(y + 1, last))), c, y, threshold);
    add(found, tops, c, row);
  }
  return found;
}

void main() {
  const uvec2 tile = gl_WorkGroupID.xy;
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_LocalInvocationIndex;
  if (self == 0) {
    best = 0;
    count = 0;
  }
  barrier();
  const uint threshold = feedback.layers[layer].threshold;
  Found found;
  if (kWalks) {
    found = walk(layer, tile, threshold);
  } else {
    found = lookEverywhere(layer, tile, threshold);
  }
  if (found.count != 0) atomicAdd(count, found.count);
  if (found.key != 0) atomicMax(best, found.key);
  barrier();

  const uint tiles = params.tilesX * params.tilesY;
  const uint tileIndex = tile.y * params.tilesX + tile.x;
  for (uint row = self; row < kTile; row += kGroup) {
    uint word = 0;
    [[unroll]] for (uint i = 0; i < kLoadsPerRow; ++i) word |= topsOfLoads[row * kLoadsPerRow + i] << (i * kPerLoad);
    bitmap[bitmapWord(layer, tiles, tileIndex, row)] = word;
  }
  if (self == 0) {
    keys[layer * tiles + tileIndex] = best;
    if (count != 0) atomicAdd(results[layer].candidates, count);
  }
}
