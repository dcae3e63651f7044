// Centre, peak and flags of every component, and the limits. A component that is several round
// markers in a row is replaced by its parts. One workgroup a component.
//
// Whether a component is one marker: an ellipse has the area 4 pi sqrt(det V) of its covariance V
// (Rosin, "Measuring shape: ellipticity, rectangularity, and triangularity", 2003); the less of
// that it fills, the less it is one. Where to cut: at the valleys of the mass projected on the
// principal axis (the projection profiles of document analysis; cutting clumps at their neck is
// surveyed in Indhumathi et al., "An automatic segmentation algorithm for 3D cell cluster
// splitting", 2011).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "wide.glsl"
#include "blob_shape.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;

layout(push_constant) uniform Push { BlobsParams params; };
layout(std430, binding = 0) readonly buffer Words { uint planeWords[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) readonly buffer Parents { uint parents[]; };
layout(std430, binding = 4) buffer Counts { BlobCounts counts[]; };
layout(std430, binding = 5) coherent buffer Blobs { Blob blobs[]; };
layout(std430, binding = 6) writeonly buffer Keys { BlobKey keys[]; };

const uint kMostParts = 8u;
const uint kMostSide = 360u;   // px, of the box of a component that may be split
const int kBins = 1024;        // of the profile, 1 px each: more than the diagonal of that box
const float kFullFill = 0.97;  // a component that fills more of its ellipse is one marker
const float kPoorFill = 0.80;  // one that fills less and cannot be split is several
const uint kLeastSplitArea = 16u;  // px
const uint kValley = 14u;      // a valley is at most this many sixteenths of the hills beside it

// 256 times the cosine and sine of -90 degrees + i * 180 / 32: x never falls.
const ivec2 kAxes[32] = ivec2[32](
    ivec2(0, -256), ivec2(25, -255), ivec2(50, -251), ivec2(74, -245), ivec2(98, -237), ivec2(121, -226),
    ivec2(142, -213), ivec2(162, -198), ivec2(181, -181), ivec2(198, -162), ivec2(213, -142), ivec2(226, -121),
    ivec2(237, -98), ivec2(245, -74), ivec2(251, -50), ivec2(255, -25), ivec2(256, 0), ivec2(255, 25),
    ivec2(251, 50), ivec2(245, 74), ivec2(237, 98), ivec2(226, 121), ivec2(213, 142), ivec2(198, 162),
    ivec2(181, 181), ivec2(162, 198), ivec2(142, 213), ivec2(121, 226), ivec2(98, 237), ivec2(74, 245),
    ivec2(50, 251), ivec2(25, 255));

shared uint profile[kBins + 1];
shared uint highest;            // of the profile
shared int cuts[kMostParts];    // where parts begin along the axis, in 1/256 px
shared uint parts;
shared uint firstPart;          // its number

#include "candidate.glsl"
#include "blobs.glsl"
#include "blob_sums.glsl"

// Where a pixel lies along an axis through `centre`, in 1/256 px.
int along(ivec2 at, ivec2 centre, ivec2 axis) {
  const ivec2 d = at - centre;
  return d.x * axis.x + d.y * axis.y + kBins / 2 * 256;
}

uint partOf(int position) {
  uint part = 0;
  while (part + 1 < parts && position >= cuts[part]) ++part;
  return part;
}

bool isWhole(Shape s, float fill) {
  precise const float a3 = s.area * s.area * s.area;
  precise const float left = a3 * a3;
  precise const float determinant = s.xx * s.yy - s.xy * s.xy;
  precise const float right = fill * fill * 157.91367 * determinant;  // (4 pi)^2
  return left >= right;
}

ivec2 principalAxis(Shape s) {
  ivec2 result = kAxes[0];
  float most = 0;
  for (int i = 0; i < 32; ++i) {
    const vec2 a = vec2(kAxes[i]);
    precise const float variance = a.x * a.x * s.xx + 2 * a.x * a.y * s.xy + a.y * a.y * s.yy;
    if (variance > most) {
      most = variance;
      result = kAxes[i];
    }
  }
  return result;
}

struct Component {
  uint number, layer;
  uint top, bottom, left, right;  // px, of its box
  uint threshold;
};

// A word of a component's box, of which there are wordsOf(c); only the bits of its own runs.
uint boxWidth(Component c) { return c.right / 32 - c.left / 32 + 1; }
uint wordsOf(Component c) { return boxWidth(c) * (c.bottom - c.top + 1); }
uvec2 wordOfBox(Component c, uint i) {
  return uvec2(c.left / 32 + i % boxWidth(c), c.top + i / boxWidth(c));
}
uint ownBits(Component c, uvec2 at) {
  const uint index = wordAt(c.layer, at.x, at.y);
  const uint bits = bitmap[index];
  uint own = 0;
  for (uint starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
    const uint start = uint(findLSB(starts));
    if (parents[nodeAt(index, start)] == (kNumbered | c.number)) own |= bitsOf(start, runEnd(bits, start));
  }
  return own;
}

// The mass along the axis, in 16ths of pixels of 8 bits, shared out between the two nearest bins.
void project(Component c, ivec2 centre, ivec2 axis) {
  for (uint i = gl_LocalInvocationIndex; i <= kBins; i += kGroup) profile[i] = 0;
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < wordsOf(c); i += kGroup) {
    const uvec2 word = wordOfBox(c, i);
    for (uint bits = ownBits(c, word); bits != 0; bits &= bits - 1) {
      const uint x = word.x * 32 + uint(findLSB(bits));
      const uint weight = (valueAt(params.plane, c.layer, x, word.y) - c.threshold + 1 >> (kBits - 8)) + 1;
      const int position = along(ivec2(x, word.y), centre, axis);
      const uint share = uint(position & 255) / 16;
      atomicAdd(profile[position / 256], weight * (16 - share));
      atomicAdd(profile[position / 256 + 1], weight * share);
    }
  }
  barrier();
}

// Smoothed by 1 2 1, against the pixel grid's beat.
uint profileAt(int i) { return profile[i - 1] + 2 * profile[i] + profile[i + 1]; }

// Walks along the profile and cuts at the least of every valley between two hills, both of which
// are at least a quarter of the highest.
void findCuts(int reach) {
  uint hill = 0;
  uint least = 0;
  int at = -1;  // where the valley is least; -1: still on the hill
  for (int i = kBins / 2 - reach; i <= kBins / 2 + reach; ++i) {
    const uint height = profileAt(i);
    if (at < 0) {
      hill = max(hill, height);
      if (hill * 4 < highest || height * 16 > hill * kValley) continue;
      at = i;
      least = height;
    } else if (height < least) {
      at = i;
      least = height;
    } else if (least * 16 <= height * kValley && height * 4 >= highest) {
      if (parts < kMostParts) cuts[parts - 1] = at * 256;
      ++parts;
      hill = height;
      at = -1;
    }
  }
}

// Sets `parts` and `cuts`.
void seekParts(Component c, ivec2 centre, ivec2 axis) {
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    parts = 1;
    highest = 0;
  }
  project(c, centre, axis);
  const int reach = min(int(c.right - c.left + c.bottom - c.top) + 3, kBins / 2 - 2);
  for (int i = int(gl_LocalInvocationIndex) - reach; i <= reach; i += int(kGroup)) {
    atomicMax(highest, profileAt(kBins / 2 + i));
  }
  barrier();
  if (gl_LocalInvocationIndex == 0) findCuts(reach);
  barrier();
}

// Adds the component's pixels to its parts, which have been given room from `firstPart` on.
void measureParts(Component c, ivec2 centre, ivec2 axis) {
  const uint first = c.layer * params.capacity + firstPart;
  for (uint i = gl_LocalInvocationIndex; i < wordsOf(c); i += kGroup) {
    const uvec2 word = wordOfBox(c, i);
    uint bits = ownBits(c, word);
    while (bits != 0) {
      const uint start = uint(findLSB(bits));
      const uint part = partOf(along(ivec2(word.x * 32 + start, word.y), centre, axis));
      uint end = start + 1;
      while (end < 32 && (bits >> end & 1) != 0 &&
             partOf(along(ivec2(word.x * 32 + end, word.y), centre, axis)) == part) {
        ++end;
      }
      bits &= ~bitsOf(start, end);
      atomicMin(blobs[first + part].first, word.y * params.plane.width + word.x * 32 + start);
      addRun(first + part, c.top, c.layer, word.x * 32 + start, word.y, end - start, c.threshold);
    }
  }
  memoryBarrierBuffer();
  barrier();
}

// Room for the parts; false if there is not enough, which the counts then tell `select`.
bool makeParts(Component c) {
  if (gl_LocalInvocationIndex == 0) {
    firstPart = counts[c.layer].components + atomicAdd(counts[c.layer].parts, parts);
  }
  barrier();
  if (firstPart + parts > params.capacity) return false;
  const uint self = gl_LocalInvocationIndex;
  const Sum none = Sum(0, 0);
  if (self < parts) {
    blobs[c.layer * params.capacity + firstPart + self] =
        Blob(0xffffffffu, 0, 0, 0, 0, 0, 0, 0, none, none, none, none, none, none, none, none);
  }
  memoryBarrierBuffer();
  barrier();
  return true;
}

// The first column from `left` to `right` in row y where a pixel of the blob has the response `peak`.
uint findPeak(Component c, uint y, uint peak, uint left, uint right, uint part, ivec2 centre, ivec2 axis) {
  uint best = 0xffffffffu;
  for (uint w = left / 32 + gl_SubgroupInvocationID; w <= right / 32; w += gl_SubgroupSize) {
    for (uint bits = ownBits(c, uvec2(w, y)); bits != 0; bits &= bits - 1) {
      const uint x = w * 32 + uint(findLSB(bits));
      if (valueAt(params.plane, c.layer, x, y) != peak) continue;
      if (parts > 1 && partOf(along(ivec2(x, y), centre, axis)) != part) continue;
      best = min(best, x);
      break;
    }
    if (best != 0xffffffffu) break;
  }
  return subgroupMin(best);
}

bool isWithinLimits(Blob b, uvec2 centre) {
  return b.area >= params.leastArea && b.area <= params.mostArea &&
         !less(Wide(b.mass.low, b.mass.high), Wide(params.leastMassLow, params.leastMassHigh)) &&
         !isElongated(shapeOf(b, centre), params.mostElongation);
}

uint flagsOf(Blob b) {
  const bool cut = b.left == ~0u || b.first < params.plane.width ||
                   b.right + 1 == params.plane.width || b.bottom + 1 == params.plane.height;
  return (cut ? kFlagBorder : 0) | (b.peak >> 15 == params.fullScale ? kFlagSaturated : 0);
}

// Peak, flags and key of a component or of one of its parts.
void finish(Component c, uint number, uint part, uint flags, ivec2 middle, ivec2 axis) {
  const uint at = c.layer * params.capacity + number;
  const Blob b = blobs[at];
  const uint y = c.top + kMostRow - (b.peak & kMostRow);
  const uint x = findPeak(c, y, b.peak >> 15, ~b.left, b.right, part, middle, axis);
  const uvec2 centre = centreOf(b);
  if (gl_SubgroupInvocationID == 0) {
    blobs[at].flags = flags | flagsOf(b);
    blobs[at].place = y << 16 | x;
    blobs[at].peak = b.peak >> 15;
    keys[at] = BlobKey(b.mass.high, b.mass.low, b.first,
                       isWithinLimits(b, centre) ? centre.y << 16 | centre.x : kNoCentre);
  }
}

void treat(uint layer, uint number) {
  const uint at = layer * params.capacity + number;
  const Blob b = blobs[at];
  const Component c = Component(number, layer, b.first / params.plane.width, b.bottom, ~b.left,
                                b.right, feedback.layers[layer].threshold);
  const ivec2 centre = ivec2(centreOf(b));
  ivec2 axis = ivec2(256, 0);
  uint flags = 0;
  barrier();
  if (gl_LocalInvocationIndex == 0) parts = 1;
  if (b.area >= kLeastSplitArea && c.right - c.left < kMostSide && c.bottom - c.top < kMostSide) {
    const Shape shape = shapeOf(b, uvec2(centre));
    if (!isWhole(shape, kFullFill)) {
      axis = principalAxis(shape);
      seekParts(c, centre, axis);
      if (parts > 1 || !isWhole(shape, kPoorFill)) flags = kFlagMerged;
    }
  }
  barrier();
  const bool split = params.split != 0 && parts > 1 && parts <= kMostParts;
  if (!split) {
    barrier();
    if (gl_LocalInvocationIndex == 0) parts = 1;
    barrier();
    if (gl_SubgroupID == 0) finish(c, number, 0, flags, centre, axis);
    return;
  }
  if (!makeParts(c)) return;
  measureParts(c, centre, axis);
  if (gl_LocalInvocationIndex == 0) keys[at].centre = kNoCentre;
  for (uint i = gl_SubgroupID; i < parts; i += gl_NumSubgroups) {
    finish(c, firstPart + i, i, flags, centre, axis);
  }
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint components = counts[layer].components;
  if (components > params.capacity) return;
  for (uint i = gl_WorkGroupID.x; i < components; i += gl_NumWorkGroups.x) treat(layer, i);
}
