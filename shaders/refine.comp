// Measures each marker: its position to a fraction of a pixel, with its uncertainty, size and shape.
//
// Input: the response, and peaks, blobs or listed candidates (the constants kRefine...). Output: one Detection each.
// It runs after `resolve`, `resolve_many` or blobs_select. For listed candidates it runs after `scan`, or at the same
// time if `scanners` is not 0. Then each workgroup waits until `scan` has posted its candidate.
//
// One workgroup measures one marker. A first look along 16 rays finds where the marker lies and how far it reaches
// (refine_extent.glsl). A fit then starts from there (refine_fit.glsl), and the invocations of the workgroup divide
// the pixels of its window among themselves. On a CPU a workgroup is a single subgroup, so that nothing has to wait.
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
layout(constant_id = 3) const uint kFrom = 3u;   // the only input, one of kRefine...; or kRefineAny
layout(constant_id = 4) const uint kInParts = 0u;  // 1: only peaks of some ranks, and no large listed candidates, are
                                                   // measured
layout(constant_id = 5) const bool kLong = false;  // true: the model suits markers that are much longer than wide

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
layout(std430, binding = 6) readonly buffer Starts { Detection starts[]; };  // used for blobs in place of `found`
layout(std430, binding = 5) writeonly buffer Outcome { LayerResult outcome[]; };
#ifndef LOADS_FOR_CPUS
layout(std430, binding = 7) volatile coherent buffer Post { uint post[]; };
layout(std430, binding = 8) writeonly buffer Late { uint late[]; };
#endif

// px, the largest extent of a marker whose light may overlap with that of others. Larger objects are judged by the
// first look alone.
const float kBesideOthers = 10.8;
// Two peaks are on the same object if the better one is less than this times the extent away from the middle of the
// other's object (for round and for long objects), and if it has at most 1 / kAlike times the other's response.
const float kWithinRound = 0.9, kWithinLong = 0.5, kAlike = 0.4;

const int kWhole = 15;  // px, radius of a window; larger windows are first fitted to a sample of their pixels

// Returns true if `what`, one of the constants kRefine..., is the input.
bool isFrom(uint what) {
  return kFrom == kRefineAny ? params.from == what : kFrom == what;
}

// Returns true if `a` has a higher response than `b`, or the same response and comes first in the image.
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

// Returns true if the first look shows that the object is no marker, because it is too long or too large. A small
// object that has an end is not dropped for its length, since the light of neighbours may make it look long.
bool isDropped(Extent extent) {
  const bool alone = extent.elongation >= kEndless || extent.half_ > kBesideOthers;
  return (alone && extent.elongation > params.longest) || extent.half_ > params.largest;
}

// Returns the distance of a candidate from the middle of an object, px.
float fromMiddle(Extent extent, Candidate c) {
  return distance(vec2(c.place & 0xffffu, c.place >> 16), vec2(extent.center));
}

// Returns the index of the first peak from `first` to `end` - 1 that lies at `x` or beyond, or `end` if there is none.
// The peaks are sorted by x.
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

// Returns true if a better peak lies on the same object and nearer to its middle. The fit of the object then starts
// from that peak. All invocations of the workgroup must call this together.
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
    // Nearly all of thousands of peaks are far away, so this saves most of the work.
    if (!kAlone && abs(float(other.place & 0xffffu) - float(extent.center.x)) > reach + 1.0) continue;
    if (isBetter(other, own) && kAlike * float(other.weight) <= float(own.weight) &&
        fromMiddle(extent, other) < reach)
      second = 1;
  }
  return groupSum(second) != 0;
}

// Measures a marker. On entry, d.x and d.y are the place to start from, and d.peak is the response there. If the layer
// is `crowded`, a peak is not fitted if a better one is on the same object. If `seconds` is set, this is also true for
// large objects in other layers.
void refine(uint layer, bool crowded, inout Detection d) {
  const ivec2 most = ivec2(params.plane.width, params.plane.height) - 1;
  const ivec2 start = clamp(ivec2(floor(vec2(d.x, d.y) + 0.5)), ivec2(0), most);
  const int peak = pixelAt(layer, start);  // may differ from d.peak, which may be the response of another plane
  Surroundings around;
  Extent extent;
  measureMarker(layer, start, peak, crowded, around, extent);
  const float half_ = max(extent.half_, kLeastHalf);
  const float skirt = firstSkirt(half_, extent.quarter);
  // The light of neighbours moves the ends of the rays, so the ends of an object that looks long are not trusted.
  const vec2 middle = extent.elongation < kRound ? extent.middle : vec2(0);
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
    d.flags |= kFlagSecond;  // this is not yet known; the host then measures the frame in another way
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

// Returns kFlagExpected if the place lies within the gate of a prediction, otherwise 0. Predictions are sorted by x. So
// only those that may be near enough along x are compared.
uint expectedFlag(uint layer, vec2 at) {
  const float reach = 1.001 * feedback.layers[layer].widestGate + 0.01;  // px; a bit more, because of rounding
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
  // On a CPU each lane reads separately even if all read the same, so the lanes compare different predictions.
  const uint own = kForCpus ? gl_SubgroupInvocationID : 0, stride = kForCpus ? kLanes : 1;
  uint flag = 0;
  for (uint i = first + own; i < end && flag == 0; i += stride) {
    const Prediction p = feedback.predictions[i];
    if (p.x > at.x + reach) break;
    if (distance(at, vec2(p.x, p.y)) <= p.gate) flag = kFlagExpected;
  }
  return kForCpus ? orAcross(flag) : flag;
}

// Returns the number of better ones among the layer's peaks, which is the rank of this peak. All invocations of the
// workgroup must call this together.
uint rankOf(uint layer, uint markers, Candidate own) {
  uint better = 0;
  for (uint i = gl_LocalInvocationIndex; i < markers; i += kGroup) {
    const Candidate other = found[layer * params.stride + i];
    if (isBetter(other, own)) ++better;
  }
  return groupSum(better);
}

// Replaces a fit that cannot be trusted by the measures of the blob itself. A fit that moved away from the centroid of
// the blob has included a neighbour that touches it. A fit has failed if its uncertainty is as large as half the
// radius, or as the window. The centroid of a blob, or of a part of one, has an uncertainty of a twentieth of the
// radius.
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
    peak = found[layer * params.stride + own];  // read before it is known to be valid, to save a wait
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
    // If a layer has so many candidates, most of them are noise on bright areas.
    const bool crowded = (isFrom(kRefinePeaks) || ranked) && results[layer].candidates > kMaxResolved;
    refine(layer, crowded, d);
    if (isFrom(kRefineBlobs)) stayInBlob(d, before);
  }
  if (isFrom(kRefineBlobs))  // the extent is only reported for peaks, since blobs have an area of their own
    d.extentX = d.extentY = d.extent = d.elongation = 0.0;
  d.flags |= expectedFlag(layer, vec2(d.x, d.y));
  if (gl_LocalInvocationIndex == 0) detections[layer * params.maxMarkers + rank] = d;
}
