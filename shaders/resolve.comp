// Peaks from a list of candidates, one workgroup a layer. The sequential rule (the best remaining
// candidate is accepted, all nearer to it than the separation are dropped) says of a candidate:
// accepted if every better one that is too near has been dropped; dropped if one of them has been
// accepted. So all can decide at once, in rounds, until none is open: the lexicographically first
// maximal independent set (Blelloch, Fineman and Shun 2012), which is the sequential rule's result.
//
// Neighbours are found through a hash of square cells. Lists that are too long, or so crowded that
// an invocation would come near the 65,535 loop iterations after which llvmpipe leaves its loops, are
// left unresolved: `resolve_many` then decides, or the host looks through the whole response.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/limits.h"
#include "shared/results.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kBuckets = 1024u;     // of the hash; a power of two
layout(constant_id = 3) const uint kCached = 1u;         // candidates that shared memory has room for
layout(constant_id = 4) const uint kMostIterations = 0;  // of an invocation's loops; 0: any number

layout(push_constant) uniform Push { ResolveParams params; };
layout(std430, binding = 0) volatile coherent readonly buffer Counts { LayerResult counts[]; };  // of `scan`
layout(std430, binding = 1) coherent readonly buffer List { Candidate list[]; };
layout(std430, binding = 2) writeonly buffer Results { LayerResult results[]; };
layout(std430, binding = 3) writeonly buffer Peaks { Candidate peaks[]; };
layout(std430, binding = 4) buffer Groups { uint groups[]; };  // along x, of the next dispatch, from 1
layout(std430, binding = 5) writeonly buffer Late { uint late[]; };

const uint kNone = 0xffffu;
const uint kDropped = 1u << 16;
const uint kAccepted = 1u << 17;
const uint kDecided = kDropped | kAccepted;

shared uint heads[kBuckets];
shared uint links[kMaxResolved];  // the next candidate of the bucket, and the state
shared Candidate cached[kCached];
shared uint open;
shared uint accepted;
shared uint gaveUp;

#include "resolve.glsl"
#define SCANNED(layer) counts[layer].scanned
#include "await.glsl"

uint spent = 0;  // loop iterations, those of the slowest invocation of the subgroup: it keeps the others

Candidate candidate(uint first, uint i) {
  Candidate c;
  if (i < kCached) {
    c = cached[i];
  } else {
    c = list[first + i];
  }
  return c;
}

void insert(uint first, uint n) {
  for (uint i = gl_LocalInvocationIndex; i < kBuckets; i += kGroup) heads[i] = kNone;
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < n; i += kGroup) {
    const Candidate c = list[first + i];
    if (i < kCached) cached[i] = c;
    links[i] = atomicExchange(heads[bucket(cellOf(position(c)))], i);
  }
  spent += (kBuckets + n) / kGroup + 2;
  barrier();
}

// The state that candidate i takes in this round; 0: a better one near it is still open.
// What can be too near lies in 1, 2 or 4 cells, because a cell is at least two reaches wide.
uint decide(uint first, uint i) {
  const Candidate own = candidate(first, i);
  const uvec2 at = position(own);
  const uvec2 from = cellOf(at - min(at, uvec2(params.reach)));
  const uvec2 to = cellOf(at + params.reach);
  uint state = kAccepted;
  for (uint k = 0; k < 4; ++k) {
    const uvec2 cell = from + uvec2(k & 1, k >> 1);
    uint visited = 2;
    uint j = state == kDropped || any(greaterThan(cell, to)) ? kNone : heads[bucket(cell)];
    while (j != kNone) {
      const Candidate other = candidate(first, j);
      const uint link = links[j];
      ++visited;
      j = link & 0xffffu;
      if ((link & kDropped) != 0 || !better(other, own) || !tooNear(other, own)) continue;
      state = 0;
      if ((link & kAccepted) != 0) {
        state = kDropped;
        break;
      }
    }
    if (kMostIterations != 0) spent += subgroupMax(visited);
  }
  return state;
}

// Decides all candidates, or gives up.
void decideAll(uint first, uint n) {
  for (;;) {
    if (gl_LocalInvocationIndex == 0) open = 0;
    barrier();
    for (uint base = 0; base < n && gaveUp == 0; base += kGroup) {
      const uint i = base + gl_LocalInvocationIndex;
      spent += 2;
      if (i < n && (links[i] & kDecided) == 0) {
        const uint state = decide(first, i);
        if (state != 0) {
          atomicOr(links[i], state);
        } else {
          open = 1;
        }
      }
      if (kMostIterations != 0) {
        spent = subgroupMax(spent);
        if (spent > kMostIterations) gaveUp = 1;
      }
    }
    barrier();
    const bool done = open == 0 || gaveUp != 0;
    barrier();
    if (done) return;
  }
}

// How many accepted candidates are better than `own`.
uint rankOf(uint first, uint n, Candidate own) {
  uint rank = 0;
  for (uint j = 0; j < n; ++j) {
    if ((links[j] & kAccepted) != 0 && better(candidate(first, j), own)) ++rank;
  }
  return rank;
}

// Counts the accepted into `accepted`; gives up if ranking them would take too long.
void countAccepted(uint n) {
  if (gl_LocalInvocationIndex == 0) accepted = 0;
  barrier();
  uint own = 0;
  for (uint i = gl_LocalInvocationIndex; i < n; i += kGroup) {
    own += uint((links[i] & kAccepted) != 0);
  }
  own = subgroupAdd(own);
  if (subgroupElect()) atomicAdd(accepted, own);
  const uint rounds = n / kGroup + 1;
  spent += rounds;
  barrier();
  if (kMostIterations != 0 && accepted > params.maxMarkers && spent + rounds * n > kMostIterations)
    gaveUp = 1;
  barrier();
}

// The accepted candidates, the best of them if there are more than enough, in any order.
void handOver(uint layer, uint first, uint n, bool tooMany) {
  if (gl_LocalInvocationIndex == 0) accepted = 0;
  barrier();
  for (uint base = 0; base < n; base += kGroup) {
    const uint i = base + gl_LocalInvocationIndex;
    Candidate c = Candidate(0, 0);
    if (i < n) c = candidate(first, i);
    const bool take = i < n && (links[i] & kAccepted) != 0 &&
                      (!tooMany || rankOf(first, n, c) < params.maxMarkers);
    const uint taken = subgroupAdd(uint(take));
    const uint before = subgroupExclusiveAdd(uint(take));
    uint slot = 0;
    if (subgroupElect()) slot = atomicAdd(accepted, taken);
    slot = subgroupAdd(slot) + before;  // the elected one's
    if (take) peaks[layer * params.maxMarkers + slot] = c;
  }
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  if (params.scanners != 0 && !awaitScan(layer, params.scanners)) return;
  const uint first = layer * kMaxListed;
  const uint candidates = counts[layer].candidates;
  const uint n = candidates <= kMaxResolved ? candidates : 0;
  if (gl_LocalInvocationIndex == 0) gaveUp = candidates > kMaxResolved ? 1 : 0;
  barrier();
  insert(first, n);
  decideAll(first, n);
  countAccepted(n);
  const uint found = accepted;
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    results[layer] =
        LayerResult(candidates, gaveUp != 0 ? 0 : min(found, params.maxMarkers), gaveUp, 0);
    if (params.counts != 0 && gaveUp == 0) atomicMax(groups[0], min(found, params.maxMarkers));
  }
  if (gaveUp == 0) handOver(layer, first, n, found > params.maxMarkers);
}
