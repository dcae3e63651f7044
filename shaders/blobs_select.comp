// Selects the blobs with the greatest mass so that no two are too near to each other, and writes them as detections by
// rank. It runs after blobs_split. One workgroup handles a layer, and one invocation of it every kGroup-th blob, which
// no other invocation reads or writes.
//
// In each round the best remaining blob is accepted. During the search for the next one, those too near to it are
// dropped. This is the sequential rule itself. A dispatch stops after `budget` iterations of an invocation's loops,
// because llvmpipe leaves the loops after 65,535 iterations. The next dispatch continues where this one stopped.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "wide.glsl"
#include "blob_shape.glsl"
#include "blobs.glsl"

layout(std140, binding = 0) uniform Host { Feedback feedback; };
layout(std430, binding = 1) buffer Counts { BlobCounts counts[]; };
layout(std430, binding = 2) readonly buffer Blobs { Blob blobs[]; };
layout(std430, binding = 3) buffer Keys { BlobKey keys[]; };
layout(std430, binding = 4) buffer Results { LayerResult results[]; };
layout(std430, binding = 5) coherent buffer Found { Detection found[]; };
// The number of workgroups along x that `refine` needs for the layer with the most markers; the host sets it to 1.
layout(std430, binding = 6) buffer Groups { uint groups[]; };

// The best blob of every subgroup. Odd and even rounds use different halves, so that one barrier per round is enough.
shared BlobKey best[2][kGroup];

bool better(BlobKey a, BlobKey b) {
  if (a.massHigh != b.massHigh) return a.massHigh > b.massHigh;
  if (a.massLow != b.massLow) return a.massLow > b.massLow;
  return a.first < b.first;
}

const BlobKey kNone = BlobKey(0, 0, 0xffffffffu, kNoCentre);

bool tooNear(uint a, uint b) {
  const ivec2 d = ivec2(a & 0xffffu, a >> 16) - ivec2(b & 0xffffu, b >> 16);
  return b != kNoCentre && uint(d.x * d.x + d.y * d.y) < params.separationUp;
}

// Returns the best of this invocation's blobs and its number. Drops its blobs that are too near to the one accepted
// last, whose centre is `last`.
BlobKey ownBest(uint first, uint n, uint last, out uint number) {
  BlobKey result = kNone;
  number = 0;
  for (uint i = gl_LocalInvocationIndex; i < n; i += kGroup) {
    const BlobKey key = keys[first + i];
    if (key.centre == kNoCentre) continue;
    if (tooNear(key.centre, last)) {
      keys[first + i].centre = kNoCentre;
    } else if (better(key, result)) {
      result = key;
      number = i;
    }
  }
  return result;
}

// Returns the best of the blobs that the workgroup's invocations pass. All of them must call this together.
BlobKey groupBest(BlobKey own, uint round_) {
  const uint high = subgroupMax(own.massHigh);
  const uint low = subgroupMax(own.massHigh == high ? own.massLow : 0);
  const bool top = own.massHigh == high && own.massLow == low;
  const uint first = subgroupMin(top ? own.first : 0xffffffffu);
  const uint centre = subgroupMin(top && own.first == first ? own.centre : kNoCentre);
  if (subgroupElect()) best[round_ & 1][gl_SubgroupID] = BlobKey(high, low, first, centre);
  barrier();
  BlobKey result = best[round_ & 1][0];
  for (uint i = 1; i < gl_NumSubgroups; ++i) {
    if (better(best[round_ & 1][i], result)) result = best[round_ & 1][i];
  }
  return result;
}

Detection detectionOf(Blob b, uint centre, uint threshold) {
  const uvec2 at = uvec2(centre & 0xffffu, centre >> 16);
  const Wide mass = Wide(b.mass.low, b.mass.high);
  const float m = toFloat(mass);
  Detection d;
  d.peakX = b.place & 0xffffu;
  d.peakY = b.place >> 16;
  d.peak = b.peak;
  d.flags = b.flags;
  d.x = float(at.x) + toFloat(subtract(Wide(b.massX.low, b.massX.high), times(mass, at.x))) / m;
  d.y = float(at.y) + toFloat(subtract(Wide(b.massY.low, b.massY.high), times(mass, at.y))) / m;
  d.mass = m;
  d.radius = sqrt(float(b.area) / 3.14159265);
  const Shape s = shapeOf(b, at);
  const float sum = 0.5 * (s.xx + s.yy);
  const float root = length(vec2(0.5 * (s.xx - s.yy) / sum, s.xy / sum));
  d.eccentricity = sqrt(clamp(2 * root / (1 + root), 0.0, 1.0));
  d.sigmaX = d.sigmaY = 0;
  d.background = float(threshold) - 1;
  return d;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint first = layer * params.capacity;
  const BlobCounts count = counts[layer];
  const bool fits = count.components + count.parts <= params.capacity;
  const uint n = fits ? count.components + count.parts : 0;
  const uint before = count.lastCentre == kNoCentre ? 0 : results[layer].markers;
  uint accepted = before;
  uint last = count.lastCentre;
  // `spent` begins at 0, so every dispatch accepts at least one blob.
  for (uint spent = 0; accepted < params.maxMarkers && spent <= params.budget;
       spent += n / kGroup + gl_NumSubgroups + 1) {
    uint number;
    const BlobKey own = ownBest(first, n, last, number);
    const BlobKey winner = groupBest(own, accepted);
    if (winner.centre == kNoCentre) break;
    if (own.centre != kNoCentre && own.first == winner.first) {
      keys[first + number].centre = kNoCentre;
      found[layer * params.maxMarkers + accepted].peakX = number;
      found[layer * params.maxMarkers + accepted].peakY = winner.centre;
    }
    last = winner.centre;
    ++accepted;
  }
  memoryBarrierBuffer();
  barrier();
  const uint threshold = feedback.layers[layer].threshold;
  for (uint i = before + gl_LocalInvocationIndex; i < accepted; i += kGroup) {
    const uint at = layer * params.maxMarkers + i;
    const uint number = found[at].peakX;
    const uint centre = found[at].peakY;
    found[at] = detectionOf(blobs[first + number], centre, threshold);
  }
  if (gl_LocalInvocationIndex == 0) {
    counts[layer].lastCentre = last;
    results[layer].candidates = count.components;
    results[layer].markers = accepted;
    results[layer].unresolved = fits ? 0 : 1;
    results[layer].scanned = 0;
    if (params.counts != 0) atomicMax(groups[0], accepted);
  }
}
