// Examines the components that blobs_finish suspects of being several markers. If a component consists of several
// markers in a row, it is replaced by its parts, or only flagged if `split` is 0. It runs after blobs_finish. One
// workgroup handles one suspect at a time, and its invocations share the words of the suspect's box.
//
// The mass of the component is projected on its principal axis. The component is cut at the valleys of this profile,
// as touching characters are (Casey and Lecolinet, "A survey of methods and strategies in character segmentation",
// 1996).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "load.glsl"
#include "plane.glsl"
#include "wide.glsl"
#include "blob_shape.glsl"
#include "blobs.glsl"

PLANE_OF_WORDS(0, planeWords);
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) readonly buffer Parents { uint parents[]; };
layout(std430, binding = 4) buffer Counts { BlobCounts counts[]; };
layout(std430, binding = 5) coherent buffer Blobs { Blob blobs[]; };
layout(std430, binding = 6) writeonly buffer Keys { BlobKey keys[]; };
layout(std430, binding = 7) readonly buffer Suspects { uint suspects[]; };

const uint kMostParts = 8u;
const int kBins = 1024;        // bins of the profile, 1 px each; enough for twice a box of 360 px in any direction
const float kPoorFill = 0.80;  // a component that fills less of its ellipse is flagged as several, even without a cut
const uint kValley = 30u;      // a valley is at most this many 32nds as high as the hills beside it

// The directions that are tried as the principal axis: 256 times the cosine and sine of -90 degrees + i * 180 / 32
// degrees. Since x is never negative, the position along an axis never decreases along a row.
const ivec2 kAxes[32] = ivec2[32](
    ivec2(0, -256), ivec2(25, -255), ivec2(50, -251), ivec2(74, -245), ivec2(98, -237),
    ivec2(121, -226), ivec2(142, -213), ivec2(162, -198), ivec2(181, -181), ivec2(198, -162),
    ivec2(213, -142), ivec2(226, -121), ivec2(237, -98), ivec2(245, -74), ivec2(251, -50),
    ivec2(255, -25), ivec2(256, 0), ivec2(255, 25), ivec2(251, 50), ivec2(245, 74),
    ivec2(237, 98), ivec2(226, 121), ivec2(213, 142), ivec2(198, 162), ivec2(181, 181),
    ivec2(162, 198), ivec2(142, 213), ivec2(121, 226), ivec2(98, 237), ivec2(74, 245),
    ivec2(50, 251), ivec2(25, 255));

shared uint profile[kBins + 1];
shared uint highest;            // the highest value of the profile
shared int cuts[kMostParts];    // position along the axis, in 1/256 px, at which part i + 1 begins
shared uint parts;              // number of parts
shared uint firstPart;          // number of the first part's slot among the blobs

#include "candidate.glsl"
#include "blob_sums.glsl"
#include "blob_finish.glsl"

// Returns the position of a pixel along an axis through `centre`, in 1/256 px. The centre itself lies in the middle of
// the profile.
int along(ivec2 at, ivec2 centre, ivec2 axis) {
  const ivec2 d = at - centre;
  return d.x * axis.x + d.y * axis.y + kBins / 2 * 256;
}

uint partOf(int position) {
  uint part = 0;
  while (part + 1 < parts && position >= cuts[part]) ++part;
  return part;
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

// Computes the profile: the mass along the axis, reduced to 8 bits per pixel, in units of 1/16. The mass of a pixel is
// divided between the two nearest bins.
void project(Component c, ivec2 centre, ivec2 axis, int reach) {
  for (int i = int(gl_LocalInvocationIndex) - reach; i <= reach; i += int(kGroup)) {
    profile[kBins / 2 + i] = 0;
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < wordsOf(c); i += kGroup) {
    const uvec2 word = wordOfBox(c, i);
    for (uint bits = ownBits(c, word); bits != 0; bits &= bits - 1) {
      const uint x = word.x * 32 + uint(findLSB(bits));
      const uint value = valueAt(params.plane, c.layer, x, word.y);
      const uint weight = ((value - c.threshold + 1) >> (kBits - 8)) + 1;
      const int position = along(ivec2(x, word.y), centre, axis);
      const uint share = uint(position & 255) / 16;
      atomicAdd(profile[position / 256], weight * (16 - share));
      atomicAdd(profile[position / 256 + 1], weight * share);
    }
  }
  barrier();
}

// Returns the profile smoothed by the weights 1, 2, 1. Without that, the pixel grid would show as ripples.
uint profileAt(int i) { return profile[i - 1] + 2 * profile[i] + profile[i + 1]; }

// Walks along the profile and cuts at the lowest place of every valley between two hills. Hills count if they are at
// least a quarter as high as the highest one.
void findCuts(int reach) {
  uint hill = 0;
  uint least = 0;
  int at = -1;  // lowest place of the valley so far; -1: the walk is still on a hill
  for (int i = kBins / 2 - reach + 1; i < kBins / 2 + reach; ++i) {
    const uint height = profileAt(i);
    if (at < 0) {
      hill = max(hill, height);
      if (hill * 4 < highest || height * 32 > hill * kValley) continue;
      at = i;
      least = height;
    } else if (height < least) {
      at = i;
      least = height;
    } else if (least * 32 <= height * kValley && height * 4 >= highest) {
      if (parts < kMostParts) cuts[parts - 1] = at * 256;
      ++parts;
      hill = height;
      at = -1;
    }
  }
}

// Finds the parts of a component along an axis, and sets `parts` and `cuts`.
void findParts(Component c, ivec2 centre, ivec2 axis) {
  const int reach = min(int(c.right - c.left + c.bottom - c.top) + 3, kBins / 2);
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    parts = 1;
    highest = 0;
  }
  project(c, centre, axis, reach);
  for (int i = int(gl_LocalInvocationIndex) - reach + 1; i < reach; i += int(kGroup)) {
    atomicMax(highest, profileAt(kBins / 2 + i));
  }
  barrier();
  if (gl_LocalInvocationIndex == 0) findCuts(reach);
  barrier();
}

// Adds the pixels of the component to its parts, for which makeParts() has made room from `firstPart` on.
void measureParts(Component c, ivec2 centre, ivec2 axis) {
  const uint firstAt = c.layer * params.capacity + firstPart;
  for (uint i = gl_LocalInvocationIndex; i < wordsOf(c); i += kGroup) {
    const uvec2 word = wordOfBox(c, i);
    uint bits = ownBits(c, word);
    while (bits != 0) {
      const uint start = uint(findLSB(bits));
      const uint part = partOf(along(ivec2(word.x * 32 + start, word.y), centre, axis));
      uint end = runEnd(bits, start);
      if (part + 1 < parts && axis.x > 0) {
        // The first pixel at or beyond the cut.
        const int first = along(ivec2(word.x * 32, word.y), centre, axis);
        end = min(end, uint((cuts[part] - first + axis.x - 1) / axis.x));
      }
      bits &= ~bitsOf(start, end);
      atomicMin(blobs[firstAt + part].first, word.y * params.plane.width + word.x * 32 + start);
      addTo(firstAt + part, sumsOf(c.top, c.layer, word.x * 32 + start, word.y, end - start,
                                 c.threshold));
    }
  }
  memoryBarrierBuffer();
  barrier();
}

// Reserves slots for the parts and fills them with empty Blobs. Returns false if there is not enough room. The counts
// of the layer then exceed the capacity, and blobs_select reports the layer as unresolved.
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

// Returns the first column of row y in which a pixel of the given part has the response b.peak. All invocations of the
// subgroup must call this together.
uint findPeak(Component c, Blob b, uint y, uint part, ivec2 centre, ivec2 axis) {
  uint best = 0xffffffffu;
  for (uint w = ~b.left / 32 + gl_SubgroupInvocationID; w <= b.right / 32; w += gl_SubgroupSize) {
    for (uint bits = ownBits(c, uvec2(w, y)); bits != 0; bits &= bits - 1) {
      const uint x = w * 32 + uint(findLSB(bits));
      const bool same = valueAt(params.plane, c.layer, x, y) == b.peak >> 15;
      if (same && partOf(along(ivec2(x, y), centre, axis)) == part) best = min(best, x);
    }
  }
  return subgroupMin(best);
}

// Flags a suspect if it consists of several markers, and replaces it by its parts if that is wanted and possible.
void treat(uint layer, uint number) {
  const uint at = layer * params.capacity + number;
  const Component c = componentOf(layer, number, feedback.layers[layer].threshold);
  const uvec2 centre = centreOf(blobs[at]);
  const Shape shape = shapeOf(blobs[at], centre);
  const ivec2 axis = principalAxis(shape);
  const ivec2 middle = ivec2(centre);
  findParts(c, middle, axis);
  const uint self = gl_LocalInvocationIndex;
  if (self == 0 && (parts > 1 || !isWhole(shape, kPoorFill))) blobs[at].flags |= kFlagMerged;
  if (params.split == 0 || parts < 2 || parts > kMostParts || !makeParts(c)) return;
  measureParts(c, middle, axis);
  if (self == 0) {
    keys[at].centre = kNoCentre;
    blobs[at].flags |= kCutIntoParts;
  }
  for (uint i = gl_SubgroupID; i < parts; i += gl_NumSubgroups) {
    const uint partAt = layer * params.capacity + firstPart + i;
    const Blob b = blobs[partAt];
    const uint y = peakRow(c, b);
    const uint x = findPeak(c, b, y, i, middle, axis);
    if (gl_SubgroupInvocationID == 0) finish(partAt, b, x, y, kFlagMerged);
  }
}

// Returns an upper limit for the loop iterations that an invocation needs for a component. llvmpipe leaves the loops of
// an invocation after 65,535 iterations in all.
uint iterationsFor(Component c) {
  return 100 * (wordsOf(c) / kGroup + 1) + 4 * (c.right - c.left + c.bottom - c.top) + 100;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const BlobCounts count = counts[layer];
  if (count.components > params.capacity) return;
  uint spent = 0;
  for (uint i = gl_WorkGroupID.x; i < count.suspects; i += gl_NumWorkGroups.x) {
    const uint number = suspects[layer * params.capacity + i];
    spent += iterationsFor(componentOf(layer, number, 0));
    if (spent > params.budget) {  // reports the layer as unresolved; with a larger capacity there are more workgroups
      atomicMax(counts[layer].parts, params.capacity + 1);
      return;
    }
    treat(layer, number);
  }
}
