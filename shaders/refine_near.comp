// Measures markers whose light overlaps together.
//
// Input: the response, and groups of near markers (NearMarkers), which the host forms from the results of `refine`. So
// it runs after `refine`, in a recording of its own. Output: one Detection per group, for the first marker of the
// group. Its sigmaX is 0 if that is no marker of its own beside the others.
//
// One workgroup measures one marker together with its neighbours, here called spots. Each spot has the model of
// `refine`. In turns, each model is fitted to the pixels of its window minus the light of the other models, until none
// moves any more. The result is the joint maximum-likelihood fit, computed block by block. The reported uncertainty
// includes the uncertainty of the neighbours. On a CPU a workgroup is a single subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#include "shared/params.h"
#include "shared/results.h"
#include "load.glsl"
#include "plane.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 8u;  // the device's subgroup size, or 128
layout(constant_id = 2) const uint kLanes = 8u;  // the device's subgroup size

const bool kLong = false;  // see refine.comp

layout(push_constant) uniform Push { RefineParams params; };
PLANE_OF_WORDS(0, plane);
layout(std430, binding = 1) readonly buffer Near { NearMarkers near[]; };
layout(std430, binding = 2) writeonly buffer Detections { Detection detections[]; };

#include "refine_pixels.glsl"
#include "across.glsl"
#include "refine_sum.glsl"
#include "refine_extent.glsl"
#include "refine_fit.glsl"
#include "refine_model.glsl"

const int kTurns = 16;              // most turns, in each of which all spots take a step
const float kLeastHeight2 = 25.0;   // least squared height of a marker in standard deviations of the height
const float kLeastValley = 0.1;     // least depth of the valley between two markers, as a share of the lower height

const float kLeastHeight = 0.2;     // least height as a share of a neighbour's; a dimmer spot may be part of its halo
const float kClose = 3.2;           // spots nearer than this many radii at half height cannot tell their shapes apart

// One of the markers of the group. Every invocation of the workgroup computes the same values.
struct Spot {
  Model model;
  Noise noise;
  Window window;
  float half_, logTau;  // size as first measured: px at half height, and Model::logTau
  float height2;        // squared height in standard deviations of the height
  vec3 move;            // information of the position: xx, xy, yy
  vec3 shape;           // information of height and logTau, in the same order
  uint there, cut, close;  // 1 if the spot is still fitted, is cut by the image border, is close to another; else 0
};
#include "refine_spots.glsl"

ivec2 placeOf(NearMarkers markers, uint k) {
  return ivec2(markers.places[k] & 0xffffu, markers.places[k] >> 16);
}

// Follows a ray from a peak, and returns the distances in px at which half and a quarter of its height are lost for the
// first time. They are negative if half is not lost within the image and the range of `around`.
vec2 fallsOf(uint layer, ivec2 from, ivec2 unit, int peak, Surroundings around) {
  const int level50 = 2 * (peak + around.darkest), level75 = 3 * peak + around.darkest;
  int before = 4 * peak, quarter = -1;
  for (int k = 1; k <= around.range; ++k) {
    const ivec2 at = along(from, unit, k);
    if (!inside(at)) break;
    const int now = 4 * pixelAt(layer, at);
    if (quarter < 0 && now < level75) quarter = crossing(k, before, now, level75);
    if (now < level50) return vec2(crossing(k, before, now, level50), quarter) / 16.0;
    before = now;
  }
  return vec2(-1.0);
}

// Returns the mean of fallsOf() over the rays that do not run into a neighbour, that is without the longer ones.
vec2 reachOf(uint layer, ivec2 from, int peak, Surroundings around) {
  const int first = int(gl_SubgroupInvocationID);
  float shortest = 1e9;
  for (int d = first; d < kDirections; d += int(kLanes)) {
    const float fall = fallsOf(layer, from, unitOf(d), peak, around).x;
    if (fall >= 0.0) shortest = min(shortest, fall);
  }
  shortest = leastAcross(shortest);
  vec3 sum = vec3(0);
  for (int d = first; d < kDirections; d += int(kLanes)) {
    const vec2 fall = fallsOf(layer, from, unitOf(d), peak, around);
    if (fall.x >= 0.0 && fall.x <= 1.4 * shortest + 0.5) sum += vec3(fall, 1.0);
  }
  sum = sumAcross(sum);
  return sum.z > 0.0 ? sum.xy / sum.z : vec2(1.0, 0.6);
}

// Makes a spot with the model from which its fit starts.
Spot firstLook(uint layer, ivec2 at, Surroundings around, bool there) {
  const int peak = pixelAt(layer, at);
  if (!there) around.range = 0;  // skips the rays, since the spot is not fitted
  const vec2 reach = reachOf(layer, at, peak, around);
  Spot s;
  s.half_ = max(reach.x, kLeastHalf);
  const float skirt = firstSkirt(s.half_, reach.y);
  s.window = windowOf(at, s.half_ + 4.5 * skirt);
  s.model = firstModel(vec2(0), around, peak, s.half_, skirt);
  s.noise = Noise(around.noise * around.noise + 1.0 / 12.0, 0.0);
  s.logTau = s.model.logTau;
  s.there = uint(there);
  s.cut = uint(!inside(at - s.window.reach) || !inside(at + s.window.reach));
  s.height2 = 0.0;
  s.move = s.shape = vec3(0);
  return s;
}

// Returns true if there is a valley between two peaks. `base` is the background.
bool apart(uint layer, ivec2 a, ivec2 b, float base) {
  const int steps = max(max(abs(a.x - b.x), abs(a.y - b.y)), 1);
  const int lower = min(pixelAt(layer, a), pixelAt(layer, b));
  int least = lower;
  for (int i = 1; i < steps; ++i) {
    const vec2 at = mix(vec2(a), vec2(b), float(i) / float(steps));
    least = min(least, pixelAt(layer, ivec2(floor(at + 0.5))));
  }
  return float(lower - least) > kLeastValley * (float(lower) - base);
}

// The light of a model at one place, and its derivatives.
struct Slopes {
  float light;       // counts
  vec2 move, shape;  // derivatives by the position; by height and logTau
};

Slopes slopesOf(Spot s, vec2 at) {
  const vec2 d = at - vec2(s.window.center) - s.model.at;
  const float perTau = exp(-s.model.logTau);
  const vec2 e = s.model.ellipse;
  const float u = (dot(d, d) + e.x * (d.x * d.x - d.y * d.y) + 2.0 * e.y * d.x * d.y) * perTau;
  const float rise = exp(min(u - s.model.plateau, 40.0));
  const float h = 1.0 / (1.0 - exp(-s.model.plateau) + rise);
  const float slope = s.model.height * h * h * rise;
  const vec2 move = 2.0 * slope * perTau * vec2(d.x + dot(e, d), d.y + dot(e, vec2(-d.y, d.x)));
  return Slopes(s.model.height * h, move, vec2(h, slope * u));
}

// The parameters of a model that its light depends on.
struct Light {
  vec2 at, ellipse;
  float height, plateau;
  float perTau, fall;  // as in Terms
};

// The light of the other spots on spot `k`. It is read from shared memory once for all pixels. A spot that is not
// fitted has the height 0.
struct Lights {
  Light each[kMostNear - 1];
};

Lights lightsBeside(uint count, uint k) {
  Lights lights;
  [[unroll]] for (uint i = 0; i < kMostNear - 1; ++i) {
    const uint j = i < k ? i : i + 1;
    lights.each[i] = Light(vec2(0), vec2(0), 0.0, 0.0, 1.0, 0.0);
    if (j >= count) continue;
    const Spot s = otherSpot(k, i);
    if (s.there == 0) continue;
    const Model m = s.model;
    lights.each[i] = Light(vec2(s.window.center) + m.at, m.ellipse, m.height, m.plateau, exp(-m.logTau),
                           1.0 - exp(-m.plateau));
  }
  return lights;
}

// Returns the sum of the lights at a place, counts. `count` is the number of all spots.
float lightAt(Lights lights, uint count, vec2 at) {
  float sum = 0.0;
  [[unroll]] for (uint i = 0; i < kMostNear - 1; ++i) {
    if (i + 1 >= count) break;
    const Light l = lights.each[i];
    const vec2 d = at - l.at;
    const float u = (dot(d, d) + l.ellipse.x * (d.x * d.x - d.y * d.y) + 2.0 * l.ellipse.y * d.x * d.y) * l.perTau;
    sum += l.height / (l.fall + exp(min(u - l.plateau, 40.0)));
  }
  return sum;
}

// The walk of an invocation over every kGroup-th pixel of a window's square.
struct Walk {
  ivec2 offset, stride;
  int side;
};

Walk walkOf(Window window) {
  const int side = 2 * window.reach + 1, lane = int(gl_LocalInvocationIndex);
  return Walk(ivec2(lane % side, lane / side) - window.reach,
              ivec2(int(kGroup) % side, int(kGroup) / side), side);
}

void goOn(inout Walk walk, Window window) {
  walk.offset += walk.stride;
  if (walk.offset.x > window.reach) walk.offset += ivec2(-walk.side, 1);
}

// Takes one step of the fit of spot `k`, with the other spots unchanged. Returns how far it moved, px. For `go` and
// `settled` see improve().
float fitSpot(uint layer, uint k, uint count, float go, bool settled, out Totals totals) {
  Spot s = spotAt(k);
  Equations q;
  clear(q, totals);
  const Terms terms = termsOf(s.model, s.noise);
  const Lights lights = lightsBeside(count, k);
  for (Walk walk = walkOf(s.window); walk.offset.y <= s.window.reach; goOn(walk, s.window)) {
    if (!inWindow(s.window, walk.offset)) continue;
    const ivec2 at = s.window.center + walk.offset;
    addPixel(q, totals, s.model, s.noise, terms, vec2(walk.offset) - s.model.at,
             uint(pixelAt(layer, at)), lightAt(lights, count, vec2(at)), 1.0);
  }
  reduce(q, totals);
  const vec2 before = s.model.at;
  const bool close = s.close != 0;
  improve(s.model, s.noise, q, go, settled,
          Known(s.logTau, s.half_, close || s.cut != 0 ? kSurely : kPrior, close ? kSurely : kPrior, vec2(0)));
  s.height2 = s.model.height * s.model.height * q.row1.x;
  s.move = q.move;
  s.shape = vec3(q.row1.x, q.row1.y, q.row2.x + kPrior);
  waitForAll();
  putSpot(k, s);
  waitForAll();
  const vec2 moved = abs(s.model.at - before);
  return moved.x + moved.y;
}

// The coupling of the first spot's position with the parameters of a neighbour: sums over the first spot's window of
// products of the derivatives, weighted by 1 / variance.
struct Coupling {
  vec4 move, shape;  // x x, x y, y x, y y; and x height, x logTau, y height, y logTau
};

Coupling couplingOf(uint count, uint k) {
  const Spot own = spots[0], other = spotAt(k);
  vec4 sums[kQuantities / 4];
  for (uint i = 0; i < kQuantities / 4; ++i) sums[i] = vec4(0);
  const Lights lights = lightsBeside(count, 0);
  for (Walk walk = walkOf(own.window); walk.offset.y <= own.window.reach; goOn(walk, own.window)) {
    if (!inWindow(own.window, walk.offset)) continue;
    const ivec2 at = own.window.center + walk.offset;
    const Slopes a = slopesOf(own, vec2(at)), b = slopesOf(other, vec2(at));
    const float light = a.light + lightAt(lights, count, vec2(at));
    const float w = 1.0 / (own.noise.base + own.noise.shot * light);
    sums[0] += w * vec4(a.move.x * b.move, a.move.y * b.move);
    sums[1] += w * vec4(a.move.x * b.shape, a.move.y * b.shape);
  }
  groupSum(sums);
  return Coupling(sums[0], sums[1]);
}

// Returns the information that the position loses because two quantities of a neighbour are unknown: c m^-1 c^T, where
// m is the information of these quantities (xx, xy, yy), and the rows of c are their coupling with x and y.
vec3 costOf(vec4 c, vec3 m) {
  const vec2 x = solve(m, c.xy), y = solve(m, c.zw);
  return vec3(dot(c.xy, x), dot(c.xy, y), dot(c.zw, y));
}

// Returns the information of the first spot's position if the parameters of its neighbours are unknown: xx, xy, yy.
vec3 informationBeside(uint count) {
  vec3 left = spots[0].move;
  for (uint k = 1; k < count; ++k) {
    const Spot other = spotAt(k);
    if (other.there == 0) continue;
    const Coupling c = couplingOf(count, k);
    left -= costOf(c.move, other.move) + costOf(c.shape, other.shape);
  }
  // At least 5 % of the information remains, whatever the neighbours are.
  return left.x > 0.05 * spots[0].move.x && left.z > 0.05 * spots[0].move.z &&
                 left.x * left.z > left.y * left.y
             ? left
             : 0.05 * spots[0].move;
}

// Returns the distance in px at which the model has lost half of its height.
float halfOf(Model m) {
  return sqrt(exp(m.logTau) * (m.plateau + log(1.0 + exp(-m.plateau))));
}

vec2 positionOf(Spot s) {
  return vec2(s.window.center) + s.model.at;
}

// Returns true if the first spot is a marker of its own. It must have a neighbour, must not be much dimmer than any or
// too near to any, and must not have moved far from its peak.
bool holds(uint count) {
  const Spot own = spots[0];
  bool beside = false;
  for (uint k = 1; k < count; ++k) {
    const Spot other = spotAt(k);
    if (other.there == 0) continue;
    beside = true;
    const float least = 0.6 * (halfOf(own.model) + halfOf(other.model));
    if (own.model.height < kLeastHeight * other.model.height) return false;
    if (distance(positionOf(own), positionOf(other)) < least) return false;
  }
  return beside && own.there != 0 && length(own.model.at) < max(0.8 * own.half_, 1.2);
}

// Returns true if the peak of another marker is close to that of marker `k`, relative to its radius at half height.
bool isClose(NearMarkers markers, uint k, float half_) {
  float nearest = 1e9;
  for (uint j = 0; j < markers.count; ++j)
    if (j != k) nearest = min(nearest, distance(vec2(placeOf(markers, j)), vec2(placeOf(markers, k))));
  return nearest < kClose * half_;
}

// Takes the first look at all markers. Returns true if the first one and at least one other must be fitted together.
// Most often this is not so, and then only the surroundings of the markers have been read.
bool measureAll(NearMarkers markers) {
  uint there = 0;  // a bit for each marker that is fitted
  for (uint k = 0; k < markers.count && (k == 0 || there != 0); ++k) {
    const ivec2 at = placeOf(markers, k);
    const Surroundings around = measureSurroundings(markers.layer, at, pixelAt(markers.layer, at));
    const bool beside = k == 0 || apart(markers.layer, placeOf(markers, 0), at, float(around.darkest));
    there |= uint(around.clear && beside) << k;
    putSurroundings(k, around);
  }
  const bool several = there > 1;
  waitForAll();
  for (uint k = 0; k < markers.count && several; ++k) {
    Spot s = firstLook(markers.layer, placeOf(markers, k), surroundingsAt(k), (there >> k & 1) != 0);
    s.close = uint(isClose(markers, k, s.half_));
    putSpot(k, s);
  }
  waitForAll();
  return several;
}

// Drops the spots that have turned out to be too dim for markers.
void leaveOutDim(uint count) {
  waitForAll();
  for (uint k = 0; k < count; ++k) {
    Spot s = spotAt(k);
    s.there = s.height2 < kLeastHeight2 ? 0 : s.there;
    putSpot(k, s);
  }
  waitForAll();
}

// Returns true if the first spot and at least one other are still fitted. Spots that were dropped do not come back.
bool mayHold(uint count) {
  uint beside = 0;
  for (uint k = 1; k < count; ++k) beside += spotAt(k).there;
  return beside != 0 && spots[0].there != 0;
}

// Returns the most turns for which the pixels of all windows may be read.
int turnsFor(uint count) {
  int pixels = 0;
  for (uint k = 0; k < count; ++k) {
    const int side = 2 * spotAt(k).window.reach + 1;
    pixels += side * side;
  }
  return clamp(kMostPixels / pixels, 4, kTurns);
}

void main() {
  const uint index = gl_WorkGroupID.x;
  const NearMarkers markers = near[index];
  const uint layer = markers.layer, count = markers.count;
  const bool several = measureAll(markers);
  const int turns = several ? turnsFor(count) : 0;
  Totals own, other;
  float moved = 0.0;
  for (int i = 0; i < turns; ++i) {
    const float go = i < 5 ? 1.0 : 0.7;
    float farthest = 0.0;
    for (uint k = count; k-- > 0;) {  // the reported marker comes last, when the others are up to date
      if (spotAt(k).there == 0) continue;
      moved = fitSpot(layer, k, count, go, i >= 8, other);
      farthest = max(farthest, moved);
      if (k == 0) own = other;
    }
    if (i == 3) leaveOutDim(count);
    if (i == 3 && !mayHold(count)) break;
    if (i > 3 && !holds(count)) break;
    const float enough = 0.05 * inversesqrt(max(max(spots[0].move.x, spots[0].move.z), 1.0));
    if (i > 4 && farthest < clamp(enough, 3e-4, 1.5e-3)) break;
  }
  Detection d = Detection(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  if (several && holds(count)) {
    Fit fit;
    fit.model = spots[0].model;
    fit.noise = spots[0].noise;
    fit.information = informationBeside(count);
    fit.moved = vec2(0.5 * moved);
    fit.totals = own;
    describe(d, spots[0].window, fit);
    d.extentX = d.x;
    d.extentY = d.y;
    d.extent = halfOf(fit.model);
    const float e = length(fit.model.ellipse);
    d.elongation = (1.0 + e) / (1.0 - e);
    if (spots[0].cut != 0) d.flags |= kFlagBorder;
  }
  if (gl_LocalInvocationIndex == 0) detections[index] = d;
}
