// Position of each peak below a pixel: the background-subtracted centroid of a disc around the
// marker, moved until the disc is centred on it. One workgroup a peak.
//
// The window comes from the marker itself: the first square ring around the peak whose mean has
// fallen to an eighth of the peak above the darkest ring. The background is the mean of an annulus
// outside the disc, without pixels as bright as another marker. The standard deviation of the
// position is that of the centroid under the annulus' noise: s^2 * sum(x^2) / mass^2 (Thompson,
// Larson and Webb 2002, background term).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/params.h"
#include "shared/feedback.h"
#include "plane.glsl"

layout(local_size_x = 64) in;
const uint kGroup = 64u;

layout(push_constant) uniform Push { RefineParams params; };
layout(std430, binding = 0) readonly buffer Plane { uint plane[]; };
layout(std140, binding = 1) uniform Host { Feedback feedback; };
layout(std430, binding = 2) readonly buffer Counts { LayerResult results[]; };
layout(std430, binding = 3) readonly buffer Found { Candidate found[]; };
layout(std430, binding = 4) writeonly buffer Detections { Detection detections[]; };
layout(std430, binding = 5) writeonly buffer Report { LayerResult report[]; };

const int kRings = int(kMaxAutoRadius);
const int kRecentrings = 8;
const uint kRingScale = 16u;  // ring means in sixteenths

shared uint ringSum[kRings + 1];
shared uint ringCount[kRings + 1];
shared vec4 perSubgroup[kGroup];
shared uint saturated;

bool inside(ivec2 at) {
  return all(greaterThanEqual(at, ivec2(0))) &&
         all(lessThan(at, ivec2(params.plane.width, params.plane.height)));
}

uint valueAt(uint layer, ivec2 at) {
  return unpack(plane[wordOf(params.plane, layer, uint(at.x), uint(at.y))], uint(at.x) % kPerWord);
}

// Sum over the workgroup, for every invocation. Call in uniform control flow.
vec4 groupSum(vec4 v) {
  v = subgroupAdd(v);
  barrier();
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = v;
  barrier();
  vec4 sum = vec4(0);
  for (uint i = 0; i < gl_NumSubgroups; ++i) sum += perSubgroup[i];
  return sum;
}

struct Scale {
  int radius;     // px, of the marker
  float darkest;  // mean of the darkest ring
};

// How far the marker reaches, from the means of square rings around its peak.
Scale measureScale(uint layer, ivec2 peak, uint value) {
  for (uint r = gl_LocalInvocationIndex; r <= kRings; r += kGroup) ringSum[r] = ringCount[r] = 0;
  barrier();
  const int side = 2 * kRings + 1;
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
    const ivec2 offset = ivec2(i % side, i / side) - kRings;
    if (!inside(peak + offset)) continue;
    const int ring = max(abs(offset.x), abs(offset.y));
    atomicAdd(ringSum[ring], valueAt(layer, peak + offset));
    atomicAdd(ringCount[ring], 1);
  }
  barrier();
  uint darkest = value * kRingScale;
  for (int r = 1; r <= kRings; ++r) {
    if (ringCount[r] != 0) darkest = min(darkest, ringSum[r] * kRingScale / ringCount[r]);
  }
  int radius = kRings;
  for (int r = kRings; r >= 2; --r) {
    if (ringCount[r] == 0) continue;
    const uint mean = ringSum[r] * kRingScale / ringCount[r];
    if ((mean - darkest) * 8 <= value * kRingScale - darkest) radius = r;
  }
  if (params.radius != 0) radius = int(params.radius);
  return Scale(radius, float(darkest) / float(kRingScale));
}

struct Background {
  float level;     // mean
  float variance;  // of one pixel
};

Background measureBackground(uint layer, ivec2 center, Scale scale, float bright) {
  const int inner = scale.radius + 2;
  const int outer = scale.radius + 4;
  const int side = 2 * outer + 1;
  vec4 sums = vec4(0);  // pixels, sum and sum of squares above the darkest ring
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
    const ivec2 offset = ivec2(i % side, i / side) - outer;
    const int distance2 = offset.x * offset.x + offset.y * offset.y;
    if (distance2 <= inner * inner || distance2 > outer * outer || !inside(center + offset)) continue;
    const float value = float(valueAt(layer, center + offset)) - scale.darkest;
    if (value <= bright) sums += vec4(1, value, value * value, 0);
  }
  sums = groupSum(sums);
  if (sums.x == 0) return Background(scale.darkest, 1.0 / 12);
  const float mean = sums.y / sums.x;
  return Background(scale.darkest + mean, max(sums.z / sums.x - mean * mean, 1.0 / 12));
}

struct Moments {
  float mass;
  vec2 mean;        // offset from the centre of the window
  vec3 covariance;  // xx, xy, yy
  float spread2;    // not used for the position: sum of x^2 and y^2 over the window's pixels, halved
};

Moments measureMoments(uint layer, ivec2 center, int reach, float background) {
  const int side = 2 * reach + 1;
  vec4 first = vec4(0);
  vec4 second = vec4(0);
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
    const ivec2 offset = ivec2(i % side, i / side) - reach;
    const int distance2 = offset.x * offset.x + offset.y * offset.y;
    if (distance2 > reach * reach || !inside(center + offset)) continue;
    const uint value = valueAt(layer, center + offset);
    if (value == params.fullScale) atomicOr(saturated, 1);
    const float weight = max(float(value) - background, 0.0);
    const vec2 at = vec2(offset);
    first += vec4(weight, weight * at, 0.5 * float(distance2));
    second += vec4(weight * at.x * at.x, weight * at.x * at.y, weight * at.y * at.y, 0);
  }
  first = groupSum(first);
  second = groupSum(second);
  if (first.x <= 0) return Moments(0, vec2(0), vec3(0), first.w);
  const vec2 mean = first.yz / first.x;
  const vec3 covariance = second.xyz / first.x - vec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y);
  return Moments(first.x, mean, covariance, first.w);
}

uint expectedFlag(uint layer, vec2 at) {
  const LayerFeedback own = feedback.layers[layer];
  for (uint i = 0; i < own.predictionCount; ++i) {
    const Prediction p = feedback.predictions[own.firstPrediction + i];
    if (distance(at, vec2(p.x, p.y)) <= p.gate) return kFlagExpected;
  }
  return 0;
}

void describe(inout Detection d, ivec2 center, Moments m, Background background) {
  d.background = background.level;
  d.mass = m.mass;
  if (m.mass <= 0) return;
  d.x = float(center.x) + m.mean.x;
  d.y = float(center.y) + m.mean.y;
  const float a = max(m.covariance.x, 0.0);
  const float c = max(m.covariance.z, 0.0);
  d.radius = 2 * sqrt(0.5 * (a + c));
  const float half_ = 0.5 * (a - c);
  const float root = sqrt(half_ * half_ + m.covariance.y * m.covariance.y);
  const float major = 0.5 * (a + c) + root;
  const float minor = 0.5 * (a + c) - root;
  d.eccentricity = major > 0 ? sqrt(clamp(1 - minor / major, 0.0, 1.0)) : 0;
  d.sigmaX = d.sigmaY = sqrt(background.variance * m.spread2) / m.mass;
}

// How many of the layer's peaks are better: with a higher response, or equal and first in the image.
uint rankOf(uint layer, uint markers, Candidate own) {
  uint better = 0;
  for (uint i = gl_LocalInvocationIndex; i < markers; i += kGroup) {
    const Candidate other = found[layer * params.maxMarkers + i];
    if (other.weight > own.weight || (other.weight == own.weight && other.place < own.place)) ++better;
  }
  return uint(groupSum(vec4(better)).x);
}

void main() {
  const uint layer = gl_WorkGroupID.z;
  const uint own = gl_WorkGroupID.x;
  const uint markers = results[layer].markers;
  if (own == 0 && gl_LocalInvocationIndex == 0) report[layer] = results[layer];
  if (own >= markers) return;
  const Candidate start = found[layer * params.maxMarkers + own];
  const uint rank = params.ranked != 0 ? own : rankOf(layer, markers, start);
  Detection d = Detection(start.place & 0xffffu, start.place >> 16, start.weight, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  d.x = float(d.peakX);
  d.y = float(d.peakY);
  const ivec2 peak = ivec2(d.peakX, d.peakY);

  if (params.enabled != 0) {
    const uint value = valueAt(layer, peak);  // d.peak is the response, maybe of another plane
    const Scale scale = measureScale(layer, peak, value);
    const float bright = 0.25 * (float(value) - scale.darkest);
    const int reach = scale.radius + 1;
    ivec2 center = peak;
    Background background;
    Moments moments;
    for (int i = 0; i < kRecentrings; ++i) {
      barrier();
      if (gl_LocalInvocationIndex == 0) saturated = 0;
      barrier();
      background = measureBackground(layer, center, scale, bright);
      moments = measureMoments(layer, center, reach, background.level);
      // Halves, which even markers give exactly, stay where they are: a device's last bit of rounding
      // must not decide.
      const ivec2 step = ivec2(sign(moments.mean) * floor(abs(moments.mean) + 0.49));
      const ivec2 next = clamp(center + step, peak - reach, peak + reach);
      if (next == center || !inside(next) || i + 1 == kRecentrings) break;
      center = next;
    }
    describe(d, center, moments, background);
    barrier();
    if (saturated != 0) d.flags |= kFlagSaturated;
    if (!inside(center - reach) || !inside(center + reach)) d.flags |= kFlagBorder;
  }
  d.flags |= expectedFlag(layer, vec2(d.x, d.y));
  if (gl_LocalInvocationIndex == 0) detections[layer * params.maxMarkers + rank] = d;
}
