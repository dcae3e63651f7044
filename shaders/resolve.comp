// Selects the peaks from a list of candidates, so that no two peaks are too near to each other. One workgroup decides
// a layer. It runs after `scan`, or at the same time if `scanners` is not 0: then it waits for `scan`.
//
// Input: the list and number of candidates. Output: the accepted candidates in any order, the best `maxMarkers` if
// there are more, and their number.
//
// The sequential rule is: accept the best remaining candidate, drop all that are too near to it, and repeat. Seen from
// one candidate: it is accepted once every better one that is too near has been dropped, and dropped once one of
// these has been accepted. So all candidates can decide at the same time, in rounds, until none is open. The result
// is the lexicographically first maximal independent set (Blelloch, Fineman and Shun 2012), which is exactly the
// result of the sequential rule.
//
// A hash table of square cells in shared memory finds the near candidates. A layer is left unresolved if its list is
// too long, or so crowded that an invocation might reach the 65,535 loop iterations after which llvmpipe leaves its
// loops. Then `resolve_many` decides, or the host searches the whole response.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/limits.h"
#include "shared/results.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kBuckets = 1024u;     // buckets of the hash table; a power of two
layout(constant_id = 3) const uint kCached = 1u;         // candidates that are copied to shared memory; the rest is not
layout(constant_id = 4) const uint kMostIterations = 0;  // limit of an invocation's loop iterations; 0: no limit

layout(push_constant) uniform Push { ResolveParams params; };
layout(std430, binding = 0) volatile coherent readonly buffer Counts { LayerResult counts[]; };  // written by `scan`
layout(std430, binding = 1) coherent readonly buffer List { Candidate list[]; };  // kMaxListed per layer
layout(std430, binding = 2) writeonly buffer Results { LayerResult results[]; };
layout(std430, binding = 3) writeonly buffer Peaks { Candidate peaks[]; };
// The number of workgroups along x that `refine` needs for the layer with the most peaks; the host sets it to 1.
layout(std430, binding = 4) buffer Groups { uint groups[]; };
layout(std430, binding = 5) writeonly buffer Late { uint late[]; };

// A link holds the index of the next candidate of the same bucket in its lower 16 bits, or kNone. Above these are the
// state bits of the candidate itself. A candidate without a state bit is open.
const uint kNone = 0xffffu;
const uint kDropped = 1u << 16;
const uint kAccepted = 1u << 17;
const uint kDecided = kDropped | kAccepted;

shared uint heads[kBuckets];
shared uint links[kMaxResolved];
shared Candidate cached[kCached];
shared uint open;      // 1 if a round leaves a candidate open
shared uint accepted;  // number of accepted candidates
shared uint gaveUp;    // 1 if the layer is left unresolved

#include "resolve.glsl"
#define SCANNED(layer) counts[layer].scanned
#include "await.glsl"

// Loop iterations so far of the slowest invocation of the subgroup. The other invocations have to wait for it.
uint spent = 0;

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

// Returns the state that candidate i takes in this round, or 0 if a better one that is too near is still open. All
// candidates that can be too near lie in 1, 2 or 4 cells, because the side of a cell is at least twice the reach.
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

// Runs rounds until all candidates are decided or the workgroup gives up.
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

// Returns the number of accepted candidates that are better than `own`.
uint rankOf(uint first, uint n, Candidate own) {
  uint rank = 0;
  for (uint j = 0; j < n; ++j) {
    if ((links[j] & kAccepted) != 0 && better(candidate(first, j), own)) ++rank;
  }
  return rank;
}

// Counts the accepted candidates in `accepted`. Gives up if ranking them would take too many loop iterations.
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

// Writes the accepted candidates to `peaks` in any order, or the best `maxMarkers` of them if there are `tooMany`.
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
    slot = subgroupAdd(slot) + before;  // hands the slot of the elected invocation to all; the others added 0
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
