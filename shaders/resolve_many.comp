// Selects the peaks from a long list of candidates with many workgroups. The rule and the hash table of cells are
// those of resolve.comp, and so are input and output. It runs after `scan` as three kernels, which kStep selects: 0
// inserts all candidates into the hash table, 1 decides, and 2 writes the accepted candidates. Step 1 may be
// dispatched several times. One invocation handles one candidate. There is one for each entry of the list.
//
// The decision on a candidate depends only on better ones and is made once. So an invocation may see the decisions of
// others late and in any order: it only waits longer. It waits for the first better candidate that is too near and
// still open. It does not wait forever, since the workgroup of that candidate may not have started. The next dispatch
// then goes on. Candidates that are open after the last dispatch leave the layer unresolved, and the host searches
// the whole response.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/limits.h"
#include "shared/results.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(constant_id = 2) const uint kStep = 0u;   // 0: insert; 1: decide; 2: hand over
layout(constant_id = 3) const uint kMostTurns = 2500u;  // turns of an invocation's loop, in which it walks or waits

layout(push_constant) uniform Push { ResolveManyParams params; };
layout(std430, binding = 0) readonly buffer Counts { LayerResult counts[]; };  // written by `scan`
layout(std430, binding = 1) readonly buffer List { Candidate list[]; };  // kMaxListed per layer
// kManyBuckets per layer: the index of a bucket's first candidate, plus 1; 0: the bucket is empty. All 0 before step 0.
layout(std430, binding = 2) buffer Heads { uint heads[]; };
layout(std430, binding = 3) buffer Links { uint links[]; };  // index of the bucket's next candidate, plus 1; 0: none
layout(std430, binding = 4) volatile buffer States { uint states[]; };  // kOpen, kDropped or kAccepted per candidate
layout(std430, binding = 5) buffer Accepted { Candidate accepted[]; };  // kMaxListed per layer
layout(std430, binding = 6) buffer Own { LayerResult own[]; };  // counts between the steps; `markers` were accepted
layout(std430, binding = 7) writeonly buffer Results { LayerResult results[]; };
layout(std430, binding = 8) writeonly buffer Peaks { Candidate peaks[]; };

const uint kBuckets = kManyBuckets;
const uint kOpen = 0u, kDropped = 1u, kAccepted = 2u;

shared Candidate others[kStep == 2 ? kGroup : 1];

#include "resolve.glsl"

// Returns the head of the list of candidates in the bucket of a cell.
uint heldIn(uint layer, uvec2 cell) {
  return heads[layer * kBuckets + bucket(cell)];
}

void insert(uint layer, uint self, uint n) {
  if (self == 0) own[layer] = LayerResult(counts[layer].candidates, 0, uint(counts[layer].candidates > kMaxListed), 0);
  if (self >= n) return;
  const uint at = layer * kMaxListed + self;
  const uint head = layer * kBuckets + bucket(cellOf(position(list[at])));
  states[at] = kOpen;
  links[at] = atomicExchange(heads[head], self + 1);
}

// A walk over all candidates in the up to four cells around a place, one cell after the other.
struct Walk {
  uvec2 from, to;  // first and last cell along x and y
  uint cell;  // number of the current cell, 0 to 3; 4: all cells are done
  uint next;  // index of the next candidate, plus 1; 0: the current cell is done
};

Walk startOf(uint layer, uvec2 at) {
  const uvec2 from = cellOf(at - min(at, uvec2(params.reach)));
  return Walk(from, cellOf(at + params.reach), 0, heldIn(layer, from));
}

// Returns the index of the walk's next candidate, plus 1, or 0 at its end.
uint goOn(uint layer, inout Walk walk) {
  while (walk.next == 0 && walk.cell < 4) {
    ++walk.cell;
    const uvec2 cell = walk.from + uvec2(walk.cell & 1, walk.cell >> 1);
    if (walk.cell < 4 && all(lessThanEqual(cell, walk.to))) walk.next = heldIn(layer, cell);
  }
  const uint found = walk.next;
  if (found != 0) walk.next = links[layer * kMaxListed + found - 1];
  return found;
}

// Decides the candidate `at`, and returns and stores its state. The result is kOpen if a better one that is too near
// stays open for too long. The state is stored inside the loop because others of the same subgroup may wait for it.
uint decide(uint layer, uint at) {
  const Candidate self = list[at];
  Walk walk = startOf(layer, position(self));
  uint state = kOpen;
  uint awaited = 0;  // index of the candidate that this one waits for, plus 1; 0: none
  for (uint turn = 0; state == kOpen && turn < kMostTurns; ++turn) {
    if (awaited == 0) {
      const uint found = goOn(layer, walk);
      if (found == 0) {
        state = kAccepted;
      } else {
        const Candidate other = list[layer * kMaxListed + found - 1];
        if (better(other, self) && tooNear(other, self)) awaited = found;
      }
    }
    if (awaited != 0) {
      const uint decided = states[layer * kMaxListed + awaited - 1];
      if (decided == kDropped) awaited = 0;
      if (decided == kAccepted) state = kDropped;
    }
    if (state != kOpen) states[at] = state;
  }
  return state;
}

// Decides a candidate unless it is decided already, and adds it to `accepted` if it is accepted.
void decideOne(uint layer, uint self, uint n) {
  const uint at = layer * kMaxListed + self;
  const bool open = self < n && states[at] == kOpen;
  const uint state = open ? decide(layer, at) : kDropped;
  if (params.last != 0 && state == kOpen) own[layer].unresolved = 1;
  const uint taken = subgroupAdd(uint(state == kAccepted));
  const uint before = subgroupExclusiveAdd(uint(state == kAccepted));
  uint slot = 0;
  if (subgroupElect() && taken != 0) slot = atomicAdd(own[layer].markers, taken);
  slot = subgroupAdd(slot) + before;  // hands the slot of the elected invocation to all; the others added 0
  if (state == kAccepted) accepted[layer * kMaxListed + slot] = list[at];
}

// Returns the number of better ones among the `n` accepted candidates. All invocations of the workgroup must call
// this together, because they read the candidates through shared memory.
uint rankOf(uint layer, Candidate self, uint n) {
  uint rank = 0;
  for (uint first = 0; first < n; first += kGroup) {
    const uint i = first + gl_LocalInvocationIndex;
    barrier();
    others[gl_LocalInvocationIndex] = accepted[layer * kMaxListed + min(i, n - 1)];
    barrier();
    for (uint k = 0; k < min(kGroup, n - first); ++k) rank += uint(better(others[k], self));
  }
  return rank;
}

// Writes the accepted candidate with the index `self` to `peaks`, unless `maxMarkers` others are better.
void handOver(uint layer, uint self) {
  const bool resolved = own[layer].unresolved == 0;
  const uint n = resolved ? own[layer].markers : 0;
  if (self == 0)
    results[layer] = LayerResult(own[layer].candidates, min(n, params.maxMarkers), resolved ? 0 : 1, 0);
  if (gl_WorkGroupID.x * kGroup >= n) return;
  const Candidate c = accepted[layer * kMaxListed + min(self, n - 1)];
  uint slot = self;
  if (n > params.maxMarkers) slot = rankOf(layer, c, n);
  if (self < n && slot < params.maxMarkers) peaks[layer * params.maxMarkers + slot] = c;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint self = gl_GlobalInvocationID.x;
  const uint candidates = counts[layer].candidates;
  const uint n = candidates <= kMaxListed ? candidates : 0;
  if (kStep == 0) insert(layer, self, n);
  if (kStep == 1 && gl_WorkGroupID.x * kGroup < n) decideOne(layer, self, n);
  if (kStep == 2) handOver(layer, self);
}
