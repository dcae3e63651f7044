// Completes every component: computes its centre, peak and flags, checks the limits, and lists the components that may
// be several markers as suspects for blobs_split.
//
// It runs after blobs_measure, whose sums it reads. One invocation handles every n-th component of a layer, where n is
// the number of invocations.
//
// An ellipse with the covariance V has the area 4 pi sqrt(det V) (Rosin, "Measuring shape: ellipticity,
// rectangularity, and triangularity", 2003). A component whose area is clearly less may be several markers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "shared/feedback.h"
#include "plane.glsl"
#include "wide.glsl"
#include "blob_shape.glsl"
#include "blobs.glsl"

layout(std430, binding = 0) readonly buffer Plane { uvec4 plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 3) readonly buffer Parents { uint parents[]; };
layout(std430, binding = 4) buffer Counts { BlobCounts counts[]; };
layout(std430, binding = 5) buffer Blobs { Blob blobs[]; };
layout(std430, binding = 6) writeonly buffer Keys { BlobKey keys[]; };
layout(std430, binding = 7) writeonly buffer Suspects { uint suspects[]; };

const float kFullFill = 0.985;     // a component that fills at least this share of its ellipse is one marker
const uint kLeastSplitArea = 16u;  // px, least area of a component that may be several markers
const uint kMostSide = 360u;       // px, largest side of its bounding box

#include "blob_bright.glsl"
#include "blob_finish.glsl"

// Returns the first column of row y in which the component has its highest response, `peak`.
uint findPeak(Component c, uint y, uint peak) {
  uint word = c.left / 32;
  uint found = 0;
  for (; word <= c.right / 32; ++word) {
    found = brightPixels(c.layer, word, y, peak) & ownBits(c, uvec2(word, y));
    if (found != 0) break;
  }
  return word * 32 + uint(findLSB(found));
}

bool isSuspect(Component c, Blob b) {
  return b.area >= kLeastSplitArea && c.right - c.left < kMostSide && c.bottom - c.top < kMostSide &&
         !isWhole(shapeOf(b, centreOf(b)), kFullFill);
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint components = counts[layer].components;
  if (components > params.capacity) return;
  for (uint i = gl_GlobalInvocationID.x; i < components; i += gl_NumWorkGroups.x * kGroup) {
    const uint at = layer * params.capacity + i;
    const Component c = componentOf(layer, i, feedback.layers[layer].threshold);
    const Blob b = blobs[at];
    const uint y = peakRow(c, b);
    finish(at, b, findPeak(c, y, b.peak >> 15), y, 0);
    if (isSuspect(c, b)) suspects[layer * params.capacity + atomicAdd(counts[layer].suspects, 1)] = i;
  }
}
