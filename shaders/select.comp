// Peaks from candidates, one workgroup a layer: the best remaining candidate is accepted, all
// candidates nearer to it than the separation are removed, until none or enough are left. This is
// the sequential rule itself, so it is exact for every image; only the search for the best, the
// removal and the new best of the tiles concerned run in parallel.
//
// One dispatch accepts at most `budget` peaks and the next goes on where it stopped: Mesa's llvmpipe
// leaves a shader's loops, silently, after 65,535 iterations in all (LP_MAX_TGSI_LOOP_ITERATIONS).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/params.h"
#include "shared/limits.h"
#include "shared/results.h"
#include "plane.glsl"
#include "tile.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 256u;  // the subgroup size on a CPU, where nothing waits then
const uint kRowsPerPass = kGroup < kTile ? kGroup : kTile;  // of a tile, an invocation each
const uint kTilesPerPass = kGroup / kRowsPerPass;
// On a CPU, where few invocations would go through all tiles for each peak, the best of every row of tiles is kept.
const bool kKeepsRows = kGroup < kTile;
const uint kMostRows = 1024u;  // of tiles: of 32,768 px

layout(push_constant) uniform Push { SelectParams params; };
layout(std430, binding = 0) readonly buffer Plane { uint plane[]; };
layout(std430, binding = 1) coherent buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 2) coherent buffer Keys { uint keys[]; };
layout(std430, binding = 3) buffer Counts { LayerResult results[]; };
layout(std430, binding = 4) writeonly buffer Peaks { Candidate peaks[]; };

shared uint bestValue;    // value + 1 of the best remaining candidate, 0 if none is left
shared uint bestPlace;    // where it is: y << 16 | x, which is its raster order
shared uint changed[kTilesPerPass];  // whether a tile lost its best candidate
shared uint newKey[kTilesPerPass];   // its best afterwards

shared uint rowValues[kKeepsRows ? kMostRows : 1];   // of each row of tiles, as bestValue and bestPlace
shared uint rowPlaces[kKeepsRows ? kMostRows : 1];

// The best of what the invocations have found into bestValue and bestPlace.
void takeBest(uint value, uint place) {
  if (gl_LocalInvocationIndex == 0) {
    bestValue = 0;
    bestPlace = 0xffffffffu;
  }
  barrier();
  if (value != 0) atomicMax(bestValue, value);
  barrier();
  if (value != 0 && value == bestValue) atomicMin(bestPlace, place);
  barrier();
}

// The best remaining candidate of some rows of tiles into bestValue and bestPlace.
void findBestOf(uint layer, uint firstRow, uint rows) {
  const uint first = (layer * params.tilesY + firstRow) * params.tilesX;
  const uint tiles = rows * params.tilesX;
  uint value = 0;
  uint place = 0xffffffffu;
  for (uint t = gl_LocalInvocationIndex; t < tiles; t += kGroup) {
    const uint key = keys[first + t];
    if (key == 0 || (key >> 10) < value) continue;
    const uint down = kKeepsRows ? 0 : t / params.tilesX;  // then there is one row
    const uvec2 at = keyPosition(key, uvec2(t - down * params.tilesX, firstRow + down));
    const uint own = at.y << 16 | at.x;
    if ((key >> 10) > value || own < place) {
      value = key >> 10;
      place = own;
    }
  }
  takeBest(value, place);
}

// The same of each of these rows of tiles, for findBest.
void keepRows(uint layer, uint first, uint last) {
  for (uint row = first; row <= last; ++row) {
    findBestOf(layer, row, 1);
    if (gl_LocalInvocationIndex == 0) {
      rowValues[row] = bestValue;
      rowPlaces[row] = bestPlace;
    }
    barrier();
  }
}

// The best remaining candidate of the layer into bestValue and bestPlace.
void findBest(uint layer) {
  if (!kKeepsRows) {
    findBestOf(layer, 0, params.tilesY);
    return;
  }
  uint value = 0;
  uint place = 0xffffffffu;
  for (uint row = gl_LocalInvocationIndex; row < params.tilesY; row += kGroup) {
    if (rowValues[row] <= value) continue;  // of equals the upper one comes first
    value = rowValues[row];
    place = rowPlaces[row];
  }
  takeBest(value, place);
}

// The bits of a tile's row that lie nearer than the separation to an accepted peak.
uint tooNear(ivec2 tile, int row, ivec2 peak) {
  const int dy = tile.y * int(kTile) + row - peak.y;
  const uint dy2 = uint(dy * dy);
  if (dy2 >= params.separationUp) return 0;
  // The largest dx with dx * dx + dy * dy < separationUp; the float root is mended to be exact.
  const uint room = params.separationUp - 1 - dy2;
  int dx = int(min(sqrt(float(room)), 46340.0));
  while (dx > 0 && uint(dx * dx) > room) --dx;
  while (dx < 46340 && uint((dx + 1) * (dx + 1)) <= room) ++dx;
  const int from = clamp(peak.x - dx - tile.x * int(kTile), 0, int(kTile));
  const int to = clamp(peak.x + dx + 1 - tile.x * int(kTile), 0, int(kTile));
  return from < to ? bitfieldInsert(0u, 0xffffffffu, from, to - from) : 0u;
}

// The key of the best candidate among the set bits of one row: a word of pixels at a time, since in a
// flat area all are candidates.
uint bestOfRow(uint layer, ivec2 tile, uint row, uint bits) {
  const uint first = wordOf(params.plane, layer, uint(tile.x) * kTile, uint(tile.y) * kTile + row);
  uint key = 0;
  while (bits != 0) {
    const uint from = uint(findLSB(bits)) / kPerWord;
    const uint word = plane[first + from];
    [[unroll]] for (uint i = 0; i < kPerWord; ++i) {
      const uint column = from * kPerWord + i;
      const uint own = tileKey(unpack(word, i), row * kTile + column);
      key = max(key, (bits >> column & 1) != 0 ? own : 0);
    }
    bits &= ~(((1u << kPerWord) - 1) << (from * kPerWord));
  }
  return key;
}

// Removes the candidates too near `peak` and finds the new best of every tile that lost its own.
void remove(uint layer, ivec2 peak) {
  const uint tiles = params.tilesX * params.tilesY;
  const int reach = int(params.reach);
  const ivec2 first = max(peak - reach, ivec2(0)) / int(kTile);
  const ivec2 last = min((peak + reach) / int(kTile), ivec2(params.tilesX, params.tilesY) - 1);
  const uint across = uint(last.x - first.x + 1);
  const uint concerned = across * uint(last.y - first.y + 1);
  const uint slot = gl_LocalInvocationIndex / kRowsPerPass;
  const uint firstRow = gl_LocalInvocationIndex % kRowsPerPass;
  ivec2 next = first;  // where one tile is done after the other: divisions take a CPU long

  for (uint done = 0; done < concerned; done += kTilesPerPass) {
    if (firstRow == 0) {
      newKey[slot] = 0;
      changed[slot] = 0;
    }
    barrier();
    const uint i = done + slot;
    const ivec2 tile = kTilesPerPass == 1 ? next : first + ivec2(i % across, i / across);
    next = next.x < last.x ? next + ivec2(1, 0) : ivec2(first.x, next.y + 1);
    const uint tileIndex = uint(tile.y) * params.tilesX + uint(tile.x);
    const uint key = i < concerned ? keys[layer * tiles + tileIndex] : 0;
    const uvec2 best = keyInTile(key);
    const bool live = key != 0;
    const int top = peak.y - reach - tile.y * int(kTile);
    const uint end = uint(clamp(top + 2 * reach + 1, 0, int(kTile)));
    for (uint row = uint(max(top, 0)) + firstRow; live && row < end; row += kRowsPerPass) {
      const uint word = bitmapWord(layer, tiles, tileIndex, row);
      const uint before = bitmap[word];
      const uint bits = before & ~tooNear(tile, int(row), peak);
      if (bits != before) {
        bitmap[word] = bits;
        if (row == best.y && (bits >> best.x & 1) == 0) atomicOr(changed[slot], 1);
      }
    }
    barrier();
    const bool loses = live && changed[slot] != 0;
    for (uint row = firstRow; loses && row < kTile; row += kRowsPerPass) {
      const uint bits = bitmap[bitmapWord(layer, tiles, tileIndex, row)];
      atomicMax(newKey[slot], bestOfRow(layer, tile, row, bits));
    }
    barrier();
    if (loses && firstRow == 0) keys[layer * tiles + tileIndex] = newKey[slot];
  }
  memoryBarrierBuffer();
  barrier();
  if (kKeepsRows) keepRows(layer, uint(first.y), uint(last.y));
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  uint accepted = results[layer].markers;
  const uint enough = min(params.maxMarkers, accepted + params.budget);
  barrier();
  if (kKeepsRows) keepRows(layer, 0, params.tilesY - 1);
  while (accepted < enough) {
    findBest(layer);
    if (bestValue == 0) break;
    const ivec2 peak = ivec2(bestPlace & 0xffffu, bestPlace >> 16);
    if (gl_LocalInvocationIndex == 0) {
      peaks[layer * params.maxMarkers + accepted] =
          Candidate(bestValue - 1, bestPlace);
    }
    ++accepted;
    remove(layer, peak);
  }
  if (gl_LocalInvocationIndex == 0) results[layer].markers = accepted;
}
