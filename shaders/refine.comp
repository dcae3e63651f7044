// Position of each marker below a pixel, with its uncertainty, size and shape: a first look around the
// start (refine_extent.glsl), then a fit (refine_fit.glsl), whose pixels the workgroup's subgroups share. One
// workgroup a marker. On a CPU it is one subgroup, and nothing waits.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "shared/limits.h"
#include "load.glsl"
#include "plane.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 8u;  // the device's subgroup size, or 128
layout(constant_id = 2) const uint kLanes = 8u;  // the device's subgroup size
layout(constant_id = 3) const uint kFrom = 3u;   // kRefine...: one thing for ever, or kRefineAny
layout(constant_id = 4) const uint kInParts = 0u;  // 1: of peaks, only those of some ranks are measured
layout(constant_id = 5) const bool kLong = false;  // what is much longer than wide is fitted as such

layout(push_constant) uniform Push { RefineParams params; };
PLANE_OF_WORDS(0, plane);
layout(std140, binding = 1) uniform Host { Feedback feedback; };
#ifdef LOADS_FOR_CPUS
layout(std430, binding = 2) readonly buffer Counts { LayerResult results[]; };
#else
layout(std430, binding = 2) volatile coherent readonly buffer Counts { LayerResult results[]; };
#endif
layout(std430, binding = 3) readonly buffer Found { Candidate found[]; };
layout(std430, binding = 4) writeonly buffer Detections { Detection detections[]; };
layout(std430, binding = 6) readonly buffer Starts { Detection starts[]; };  // `found`, of blobs
layout(std430, binding = 5) writeonly buffer Outcome { LayerResult outcome[]; };
#ifndef LOADS_FOR_CPUS
layout(std430, binding = 7) volatile coherent buffer Post { uint post[]; };
layout(std430, binding = 8) writeonly buffer Late { uint late[]; };
#endif

const float kBesideOthers = 10.8;  // px, of an extent: farther no light reaches into another's
// Of extents: on the same object are peaks so near to the middle, and of so much of the better one's height.
const float kWithinRound = 0.9, kWithinLong = 0.5, kAlike = 0.4;

const int kWhole = 15;  // px, of a window: larger ones are fitted to a sample of their pixels first

// What is measured.
bool isFrom(uint what) {
  return kFrom == kRefineAny ? params.from == what : kFrom == what;
}

// With a higher response, or equal and first in the image.
bool isBetter(Candidate a, Candidate b) {
  return a.weight > b.weight || (a.weight == b.weight && a.place < b.place);
}

#include "refine_await.glsl"
#include "refine_pixels.glsl"
#include "across.glsl"
#include "refine_sum.glsl"
#include "refine_extent.glsl"
#include "refine_fit.glsl"
#include "refine_model.glsl"

// Whether a look is enough to tell that it is no marker, nor one beside others, whose light may make it look
// long.
bool isDropped(Extent extent) {
  const bool alone = extent.elongation >= kEndless || extent.half_ > kBesideOthers;
  return (alone && extent.elongation > params.longest) || extent.half_ > params.largest;
}

float fromMiddle(Extent extent, Candidate c) {
  return distance(vec2(c.place & 0xffffu, c.place >> 16), vec2(extent.center));
}

// The first of some peaks, which stand by x, that lies at `x` or beyond.
uint firstFrom(uint first, uint end, float x) {
  while (first < end) {
    const uint middle = (first + end) / 2;
    if (float(found[middle].place & 0xffffu) < x) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

// Whether a better peak lies on the same object, nearer to its middle: from there it is seen best.
bool isSecond(uint layer, Extent extent, Candidate own) {
  const float most = (extent.elongation < kRound ? kWithinRound : kWithinLong) * extent.half_;
  const float reach = min(most, fromMiddle(extent, own));
  // In order of rank, better ones come first.
  const uint before = isFrom(kRefineRanked) ? gl_WorkGroupID.x + params.firstRank : results[layer].markers;
  uint first = layer * params.stride, end = first + before;
  if (isFrom(kRefineByX)) {
    const uint all = gl_NumWorkGroups.z * params.stride;
    first = firstFrom(all + first, all + end, float(extent.center.x) - reach - 1.0);
    end = firstFrom(first, all + end, float(extent.center.x) + reach + 2.0);
  }
  uint second = 0;
  for (uint i = first + gl_LocalInvocationIndex; i < end; i += kGroup) {
    const Candidate other = found[i];
    // Of thousands nearly all are far off.
    if (!kAlone && abs(float(other.place & 0xffffu) - float(extent.center.x)) > reach + 1.0) continue;
    if (isBetter(other, own) && kAlike * float(other.weight) <= float(own.weight) &&
        fromMiddle(extent, other) < reach)
      second = 1;
  }
  return groupSum(second) != 0;
}

// Measures a marker whose x and y say where to start. Of a large object, and in a crowd of any, few peaks are
// fitted.
void refine(uint layer, bool crowded, inout Detection d) {
  const ivec2 most = ivec2(params.plane.width, params.plane.height) - 1;
  const ivec2 start = clamp(ivec2(floor(vec2(d.x, d.y) + 0.5)), ivec2(0), most);
  const int peak = lookAt(layer, start);  // d.peak is the response, maybe of another plane
  Surroundings around;
  Extent extent;
  lookTogether(layer, start, peak, crowded, around, extent);
  const float half_ = max(extent.half_, kLeastHalf);
  const float skirt = firstSkirt(half_, extent.quarter);
  const vec2 middle = extent.elongation < kRound ? extent.middle : vec2(0);  // others' light pulls at the ends
  Model model = firstModel(middle, around, peak, half_, skirt);
  float end = half_ + 4.5 * skirt;
  if (kLong) {
    stretch(model, extent.ellipse);
    end *= longerOf(model.ellipse);
  }
  model.slope = groundSlope(layer, start, around, peak, end);
  Window window = windowOf(extent.center, end);
  if (model.slope != vec2(0) && params.radius == 0) window.reach = max(window.reach, kPlane);
  if (crowded) window.step_ = sampleStep(window);
  ivec2 reach = ivec2(window.reach);
  if (kLong) reach = min(reach, halfBoxOf(model.ellipse, end));
  const bool cut = !inside(window.center - reach) || !inside(window.center + reach);
  if (cut) d.flags |= kFlagBorder;
  d.extentX = float(extent.center.x);
  d.extentY = float(extent.center.y);
  d.extent = extent.half_;
  d.elongation = extent.elongation;
  d.background = float(around.darkest);
  d.sigmaX = d.sigmaY = float(window.reach);
  if (uint(peak) >= params.fullScale) d.flags |= kFlagSaturated;
  if (!around.clear || isDropped(extent)) return;
  if (isFrom(kRefineList) && kInParts != 0 && extent.half_ > kBesideOthers) {
    d.flags |= kFlagSecond;  // it may be: then the frame goes another way
    return;
  }
  const bool large = params.seconds != 0 && !isFrom(kRefineList) && !isFrom(kRefineBlobs) && extent.half_ > kBesideOthers;
  if ((crowded || large) && isSecond(layer, extent, Candidate(d.peak, uint(start.y) << 16 | uint(start.x)))) {
    d.flags |= kFlagSecond;
    return;
  }
  const bool sampled = window.reach > kWhole && !crowded && !kLong && params.radius == 0 && !isFrom(kRefineBlobs);
  const Noise noise = Noise(around.noise * around.noise + 1.0 / 12.0, 0.0);
  const int pixels = crowded ? kMostPixelsOfCrowd : kMostPixels;
  describe(d, window, fitMarker(layer, window, sampled, model, noise, half_, cut, pixels));
}

// Of thousands of predictions those are looked at that may be near enough along x.
uint expectedFlag(uint layer, vec2 at) {
  const float reach = 1.001 * feedback.layers[layer].widestGate + 0.01;  // nothing is lost by rounding
  uint first = feedback.layers[layer].firstPrediction;
  const uint end = first + feedback.layers[layer].predictionCount;
  for (uint after = end; first < after;) {
    const uint middle = (first + after) / 2;
    if (feedback.predictions[middle].x < at.x - reach) {
      first = middle + 1;
    } else {
      after = middle;
    }
  }
  // On a CPU each lane reads by itself, whether it reads the same or not.
  const uint own = kForCpus ? gl_SubgroupInvocationID : 0, stride = kForCpus ? kLanes : 1;
  uint flag = 0;
  for (uint i = first + own; i < end && flag == 0; i += stride) {
    const Prediction p = feedback.predictions[i];
    if (p.x > at.x + reach) break;
    if (distance(at, vec2(p.x, p.y)) <= p.gate) flag = kFlagExpected;
  }
  return kForCpus ? orAcross(flag) : flag;
}

// How many of the layer's peaks are better.
uint rankOf(uint layer, uint markers, Candidate own) {
  uint better = 0;
  for (uint i = gl_LocalInvocationIndex; i < markers; i += kGroup) {
    const Candidate other = found[layer * params.stride + i];
    if (isBetter(other, own)) ++better;
  }
  return groupSum(better);
}

// A fit that leaves the centroid of its blob has taken in a neighbour that touches it, and one that
// knows the place no better than to half the radius, or the window, has failed. Then the blob's own
// measures stand: its centroid is right to a twentieth of the radius, also that of a part.
void stayInBlob(inout Detection d, Detection blob) {
  const float most = max(0.05 * blob.radius, 0.1);
  const bool left = distance(vec2(d.x, d.y), vec2(blob.x, blob.y)) > max(most, 0.75);
  const bool failed = max(d.sigmaX, d.sigmaY) >= min(0.5 * blob.radius, float(kLargestReach));
  if (!left && !failed) return;
  const uint flags = left && !failed ? d.flags | kFlagMerged : d.flags;
  d = blob;
  d.flags = flags;
  d.sigmaX = d.sigmaY = most;
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const bool ranked = isFrom(kRefineRanked) || isFrom(kRefineByX);
  const uint own = gl_WorkGroupID.x + (ranked ? params.firstRank : 0);
  const bool listed = isFrom(kRefineList), waits = listed && params.scanners != 0;
  Candidate peak;
  if (waits) {
    if (!awaitCandidate(layer, own, peak)) return;
  } else {
    peak = found[layer * params.stride + own];  // no wait for the number first
  }
  const uint markers = waits ? own + 1 : listed ? min(results[layer].candidates, params.maxMarkers) : results[layer].markers;
  if (!listed && own == 0 && gl_LocalInvocationIndex == 0) outcome[layer] = results[layer];
  if (own >= markers) return;
  Detection d;
  uint rank = own;
  if (isFrom(kRefineBlobs)) {
    d = starts[layer * params.stride + own];
  } else {
    if (!listed && !ranked) rank = rankOf(layer, markers, peak);
    if (kInParts != 0 && rank - params.firstRank >= params.ranks) return;
    const uvec2 at = uvec2(peak.place & 0xffffu, peak.place >> 16);
    d = Detection(at.x, at.y, peak.weight, 0, float(at.x), float(at.y), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
  if (params.enabled != 0) {
    const Detection before = d;
    // Where there are so many candidates, most of them are noise on bright areas.
    const bool crowded = (isFrom(kRefinePeaks) || ranked) && results[layer].candidates > kMaxResolved;
    refine(layer, crowded, d);
    if (isFrom(kRefineBlobs)) stayInBlob(d, before);
  }
  if (isFrom(kRefineBlobs))  // a blob knows its own
    d.extentX = d.extentY = d.extent = d.elongation = 0.0;
  d.flags |= expectedFlag(layer, vec2(d.x, d.y));
  if (gl_LocalInvocationIndex == 0) detections[layer * params.maxMarkers + rank] = d;
}
