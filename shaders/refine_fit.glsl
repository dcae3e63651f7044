// Fits the model of a marker to the pixels of a window by maximum likelihood. The model is
//   value = base + height * h(u),  h(u) = 1 / (1 - e^-plateau + e^(u - plateau)),
//   u = (x^2 + y^2 + e1 (x^2 - y^2) + 2 e2 x y) / tau.
// It is a Gaussian for plateau = 0 and a disc with a soft edge for a large plateau, round or elliptical. The variance
// of a pixel is base + shot * signal. Both are estimated from the residuals. See docs/detection.md. If kLong is true,
// the soft edge of an elliptical disc is as wide at its ends as at its sides, and a change of e1 and e2 keeps the area.
//
// The fit takes steps of Gauss and Newton. In each step the invocations of the workgroup divide the pixels among
// themselves, and then sum up the equations. Include this file after declaring `pixelAt`, `inside`, `groupSum` and
// kLong. All invocations of the workgroup must call the functions of the fit together.

const int kIterations = 20;  // most steps
// Steps on all pixels, if the steps on a sample of the pixels did not converge.
const int kLastSteps = 3;
// Most pixels that one fit reads in all its steps. llvmpipe leaves the loops of an invocation after 65,535 iterations.
// One iteration reads a pixel in every lane, and there are at least 4 lanes.
const int kMostPixels = 240000;
const int kMostPixelsOfCrowd = 2500;  // the same in a crowded layer, to save time
const int kSlopeSteps = 3;            // steps with a sloping background
const float kLargestPlateau = 200.0;
// Weight (1 / variance) of the prior knowledge about the shape: log tau is as first measured, and the marker is a round
// Gaussian. It keeps the fits of faint markers from absurd shapes.
const float kPrior = 10.0;
// Weight that fixes a quantity which the visible pixels cannot tell. If only a part of a marker is visible, an ellipse
// looks like a shift.
const float kSurely = 1e9;
// Greatest length / width of the model, and |(e1, e2)| of such an ellipse. This is more than --elongated accepts, so
// that lines can be distinguished from markers.
const float kLongest = 10.0, kMostBend = (kLongest * kLongest - 1.0) / (kLongest * kLongest + 1.0);
// Greatest relative change of the position's information in the last step of a long marker's fit. Once it changes less,
// shape and noise are known well enough.
const float kSteady = 0.02;

// The disc of pixels that a fit uses.
struct Window {
  ivec2 center;  // px
  int reach;     // px, radius
  int step_;     // px, from one pixel that is read to the next, along x and y
};

const int kKeptReach = 12;  // px, largest radius of a small window
// Returns the step for a sample of a window's pixels. The sample has no more pixels than a window of the radius
// kKeptReach.
int sampleStep(Window window) {
  return (window.reach + kKeptReach - 1) / kKeptReach;
}

struct Model {
  vec2 at;             // px from the window's centre
  float base, height;  // background, and the marker's height above it
  float logTau, plateau;  // tau in px^2
  vec2 ellipse;  // e1, e2
  vec2 slope;    // slope of the background, counts per px; `base` holds at the window's centre
};

struct Noise {
  float base;  // variance of a background pixel
  float shot;  // growth of the variance per count of the signal
};

// The normal equations of a step: sums of products of the derivatives over the window. There are three systems, for
// the position, for the ellipse, and for base, height, logTau and plateau. By symmetry they are independent of each
// other and are solved separately.
struct Equations {
  vec2 moveGradient, bendGradient;  // right sides for position and ellipse
  vec3 move, bend;  // matrices for position and ellipse: xx, xy, yy
  vec4 gradient;    // right side for base, height, logTau and plateau
  vec4 row0;        // upper triangle of their matrix, row by row
  vec3 row1;
  vec2 row2;
  float row3;
  // For Noise::base: the weight of background pixels and their weighted sum of squared residuals. For Noise::shot: the
  // weighted sums of h^2 and of h times the squared residual without the base.
  vec4 noise;
};

// Sums over the window for the results.
struct Totals {
  // Sums of the pixels above the background, of h, and of h times the squared distance from the position in px^2.
  float mass, volume, moment;
  float saturated;  // number of saturated pixels
};

struct Fit {
  Model model;
  Noise noise;
  vec3 information;  // inverse of the position's covariance, 1 / px^2: xx, xy, yy
  vec2 moved;        // px, estimate of how far further steps would still move the position
  Totals totals;
};

float fourth(float x) {
  return x * x * x * x;
}

// Values that are the same for all pixels of a step.
struct Terms {
  float perTau;   // 1 / tau
  float fall;     // 1 - e^-plateau
  float outlier;  // four standard deviations of a background pixel, counts
  float edge;     // 0 for a Gaussian to 1 for a disc
  vec2 narrows;   // minus the derivative of logTau by the ellipse if the area is kept
};

// A pixel compared with the model, and the derivatives of the model there.
struct Pixel {
  bool full;           // true if the pixel is saturated
  float own;           // value without the light of other markers and without the background's slope, counts
  float h, e;          // h(u) of the model, and the residual in counts
  float known, trust;  // 0 if the pixel tells nothing, else 1; the share of trust in it, 0 to 1
  float weight;        // trust / variance
  vec2 move, bend;     // derivatives by the position, and by the ellipse
  vec4 shape;          // derivatives by base, height, logTau, and plateau
};

// Compares a pixel at the distance d (px along x and y) from the marker's position with the model. `others` is the
// light of other markers there, counts. `counts` is 1, or 0 to leave the pixel out.
Pixel pixelOf(Model m, Noise noise, Terms c, vec2 d, uint value, float others, float counts) {
  const float u =
      (dot(d, d) + m.ellipse.x * (d.x * d.x - d.y * d.y) + 2.0 * m.ellipse.y * d.x * d.y) *
      c.perTau;
  float sharper = 1.0;  // factor by which the edge is sharper in this direction than in the plain model
  if (kLong) {
    const vec2 along_ = d + vec2(dot(m.ellipse, d), dot(m.ellipse, vec2(-d.y, d.x)));
    sharper += c.edge * (sqrt((dot(d, along_) + 1e-6) / (dot(along_, along_) + 1e-6)) - 1.0);
  }
  const float beyond = kLong ? sharper * (u - m.plateau) : u - m.plateau;
  const float rise = exp(min(beyond, 40.0));
  const float h = 1.0 / (c.fall + rise);
  const float own = float(value) - others - dot(m.slope, d + m.at);
  Pixel p;
  p.own = own;
  p.h = h;
  p.e = own - m.base - m.height * h;
  p.full = value >= params.fullScale;
  // A saturated pixel only tells that the marker is at least this bright.
  p.known = p.full && p.e < 0.0 ? 0.0 : counts;
  // Pixels that do not fit belong to something else, such as a neighbour.
  const float t4 = fourth(c.outlier + m.height * (0.04 + 0.5 * h));
  p.trust = p.known * t4 / (t4 + fourth(p.e));
  p.weight = p.trust / (noise.base + noise.shot * (m.height * h + others));
  const float slope = m.height * h * h * rise * c.perTau;
  p.move =
      2.0 * slope * vec2(d.x + dot(m.ellipse, d), d.y + dot(m.ellipse, vec2(-d.y, d.x)));
  p.bend = -slope * vec2(d.x * d.x - d.y * d.y, 2.0 * d.x * d.y);
  p.shape = vec4(1.0, h, m.height * h * h * rise * u, m.height * h * (1.0 - h));
  if (kLong) {
    p.move *= sharper;
    p.shape.z *= sharper;
    p.shape.w = m.height * h * h * (rise * sharper + c.fall - 1.0);
    p.bend = sharper * p.bend - p.shape.z * c.narrows;
  }
  return p;
}

// Adds a pixel to the equations and totals. For the parameters see pixelOf().
void addPixel(inout Equations q, inout Totals totals, Model m, Noise noise, Terms c, vec2 d,
              uint value, float others, float counts) {
  const Pixel p = pixelOf(m, noise, c, d, value, others, counts);
  const float w = p.weight, e = p.e, h = p.h;
  const vec2 move = p.move, bend = p.bend;
  const vec4 shape = p.shape;
  q.moveGradient += w * e * move;
  q.move += w * vec3(move.x * move.x, move.x * move.y, move.y * move.y);
  q.bendGradient += w * e * bend;
  q.bend += w * vec3(bend.x * bend.x, bend.x * bend.y, bend.y * bend.y);
  q.gradient += w * e * shape;
  q.row0 += w * shape;
  q.row1 += w * shape.y * shape.yzw;
  q.row2 += w * shape.z * shape.zw;
  q.row3 += w * shape.w * shape.w;
  const float background = fourth(fourth(max(1.0 - h, 0.1)));
  const float b4 = fourth(c.outlier);
  const float quiet = p.known * background * background * b4 / (b4 + fourth(e));
  q.noise += vec4(quiet, quiet * e * e, w * h * h, w * h * (e * e - noise.base));
  totals.mass += (p.full ? counts : p.trust) * (p.own - m.base);
  totals.volume += counts * h;
  totals.moment += counts * h * dot(d, d);
  totals.saturated += p.full ? counts : 0.0;
}

// Solves a symmetric system of four equations, given by the rows of its upper triangle and the right side b.
vec4 solve(vec4 row0, vec3 row1, vec2 row2, float row3, vec4 b) {
  const vec3 f0 = row0.yzw / row0.x;
  row1 -= f0.x * row0.yzw;
  row2 -= f0.y * row0.zw;
  row3 -= f0.z * row0.w;
  b.yzw -= f0 * b.x;
  const vec2 f1 = row1.yz / row1.x;
  row2 -= f1.x * row1.yz;
  row3 -= f1.y * row1.z;
  b.zw -= f1 * b.y;
  const float f2 = row2.y / row2.x;
  row3 -= f2 * row2.y;
  b.w -= f2 * b.z;
  const float w = b.w / row3;
  const float z = (b.z - row2.y * w) / row2.x;
  const float y = (b.y - row1.y * z - row1.z * w) / row1.x;
  return vec4((b.x - row0.y * y - row0.z * z - row0.w * w) / row0.x, y, z, w);
}

// Solves a symmetric system of two equations with the matrix xx, xy, yy. Returns 0 if it is not positive definite.
vec2 solve(vec3 m, vec2 b) {
  const float det = m.x * m.z - m.y * m.y;
  return det > 0.0 ? vec2(m.z * b.x - m.y * b.y, m.x * b.y - m.y * b.x) / det : vec2(0);
}

// Replaces the sums of each invocation by the sums over the workgroup.
void reduce(inout Equations q, inout Totals t) {
  vec4 sums[8] = {vec4(q.moveGradient, q.bendGradient),
                  vec4(q.move, q.bend.x),
                  vec4(q.bend.yz, q.row2),
                  q.gradient,
                  q.row0,
                  vec4(q.row1, q.row3),
                  q.noise,
                  vec4(t.mass, t.volume, t.moment, t.saturated)};
  groupSum(sums);
  q.moveGradient = sums[0].xy;
  q.bendGradient = sums[0].zw;
  q.move = sums[1].xyz;
  q.bend = vec3(sums[1].w, sums[2].xy);
  q.row2 = sums[2].zw;
  q.gradient = sums[3];
  q.row0 = sums[4];
  q.row1 = sums[5].xyz;
  q.row3 = sums[5].w;
  q.noise = sums[6];
  t = Totals(sums[7].x, sums[7].y, sums[7].z, sums[7].w);
}

// Prior knowledge about a marker.
struct Known {
  float logTau, half_;  // size as first measured: sizeOf(), and the radius at half height in px
  float round_;         // weight of a round shape: 1 / variance of e1 and e2
  float gaussian;       // weight of a Gaussian: 1 / variance of a plateau below 1
  vec2 ellipse;         // the expected ellipse in place of a round shape, if kLong is true
};

// Returns logTau of a round marker with the same area.
float sizeOf(Model m) {
  return kLong ? m.logTau - 0.5 * log(1.0 - dot(m.ellipse, m.ellipse)) : m.logTau;
}

// Gives the model another ellipse, limited to kMostBend, and keeps its area.
void stretch(inout Model m, vec2 ellipse) {
  const float size = sizeOf(m);
  m.ellipse = ellipse * kMostBend / max(kMostBend, length(ellipse));
  m.logTau = size + 0.5 * log(1.0 - dot(m.ellipse, m.ellipse));
}

// Takes one Gauss-Newton step. Unless `settled` is true, estimates the noise, too. `go` is the share of the full
// step that is taken. The change of each quantity is limited to a range in which the linear equations can be trusted.
void improve(inout Model m, inout Noise noise, Equations q, float go, bool settled, Known known) {
  const float half_ = known.half_, round_ = known.round_, logTau = known.logTau;
  const float gaussian = m.plateau < 1.0 ? known.gaussian : 0.0;
  const vec2 most = vec2(half_ + 1.0);
  m.at += clamp(go * solve(q.move, q.moveGradient), vec2(-0.5 * half_), vec2(0.5 * half_));
  m.at = clamp(m.at, -most, most);
  const float size = sizeOf(m);
  const vec2 away = kLong ? m.ellipse - known.ellipse : m.ellipse;
  const vec2 bent = m.ellipse + go * solve(q.bend + vec3(round_, 0, round_), q.bendGradient - round_ * away);
  if (kLong) {
    stretch(m, bent);
  } else {
    m.ellipse = clamp(bent, vec2(-0.65), vec2(0.65));
  }
  const vec4 step =
      go * solve(vec4(1.001 * q.row0.x + 1e-12, q.row0.yzw),
                 vec3(1.001 * q.row1.x + 1e-12, q.row1.yz),
                 vec2(1.001 * q.row2.x + kPrior, q.row2.y), 1.001 * q.row3 + max(kPrior, gaussian),
                 q.gradient - vec4(0, 0, kPrior * (size - logTau), gaussian * m.plateau));
  m.base += step.x;
  // This is not written as clamp(), which is undefined if the lower limit is above the upper one. That happens for a
  // negative height, which then triples in each step until the fit is rejected.
  m.height = min(max(m.height + step.y, 0.3 * m.height), 3.0 * m.height);
  m.logTau += clamp(step.z, -0.5, 0.5);
  const float mostPlateau = 0.3 * abs(m.plateau) + 0.5;
  m.plateau = clamp(m.plateau + clamp(step.w, -mostPlateau, mostPlateau), -0.1, kLargestPlateau);
  // The weight 1 / (1 + (e / 4 s)^4) reduces the variance of normal noise. The factor 1.045 makes up for that.
  if (!settled && q.noise.x > 7.0)
    noise.base = max(1.045 * q.noise.y / (q.noise.x - 2.0), 1.0 / 12.0);
  if (!settled) noise.shot = max(q.noise.w / (m.height * q.noise.z + 1e-9), 0.0);
}

void clear(out Equations q, out Totals t) {
  q = Equations(vec2(0), vec2(0), vec3(0), vec3(0), vec4(0), vec4(0), vec3(0), vec2(0), 0.0, vec4(0));
  t = Totals(0.0, 0.0, 0.0, 0.0);
}

Terms termsOf(Model m, Noise noise) {
  const float edge = max(m.plateau, 0.0) / (max(m.plateau, 0.0) + 1.0);
  const vec2 narrows = m.ellipse / (1.0 - dot(m.ellipse, m.ellipse));
  return Terms(exp(-m.logTau), 1.0 - exp(-m.plateau), 4.0 * sqrt(noise.base), edge, narrows);
}

// Returns true if the pixel at `offset` from the window's centre is in the window's disc and in the image.
bool inWindow(Window window, ivec2 offset) {
  return dot(vec2(offset), vec2(offset)) <= float(window.reach * window.reach) &&
         inside(window.center + offset);
}

// The order in which an invocation visits every kGroup-th pixel of a window's square. Places are counted in steps of
// Window::step_ from the window's centre.
struct Raster {
  int steps, side;      // places from the centre to the border, and along a whole side
  ivec2 first, stride;  // place of the invocation's first pixel, and the way from one of its pixels to the next
};

Raster rasterOf(Window window) {
  const int steps = window.reach / window.step_, side = 2 * steps + 1, lane = int(gl_LocalInvocationIndex);
  return Raster(steps, side, ivec2(lane % side, lane / side) - steps, ivec2(int(kGroup) % side, int(kGroup) / side));
}

// Returns the same as rasterOf() for a window with step 1 whose rows are longer than the workgroup of a CPU. It avoids
// divisions, which are slow on llvmpipe.
Raster rasterOfLarge(Window window) {
  const ivec2 first = ivec2(gl_LocalInvocationIndex, 0) - window.reach;
  return kForCpus ? Raster(window.reach, 2 * window.reach + 1, first, ivec2(kGroup, 0)) : rasterOf(window);
}

// Moves to the next place of the invocation.
void advance(inout ivec2 next, Raster raster) {
  next += raster.stride;
  if (next.x > raster.steps) next += ivec2(-raster.side, 1);
}

// On a GPU, a copy in shared memory of those pixels of a small window that lie in its disc and in the image. Each
// invocation copies every kGroup-th pixel, row by row. So the steps of the fit need not read the image, and visit no
// pixels outside of the disc.
const int kKept = 4;        // most pixels per invocation; a window of the radius kKeptReach has 441 pixels in its disc
const bool kKeeps = !kAlone && kLanes > uint(2 * kKeptReach);
shared uint keptPixels[kKeeps ? kKept * int(kGroup) : 1];  // value, and x and y from the corner of the square

// One row of the disc. The i-th invocation of the subgroup holds the i-th row from the top.
struct DiscRow {
  int first;  // number of the row's first pixel, counted row by row
  int left;   // px from the left side of the square to this pixel
};

// Returns the i-th pixel of the disc, in px from the upper left corner of its square. All invocations of the subgroup
// must call this together.
ivec2 discPixel(DiscRow rows, int i) {
  uint row = 0;  // becomes the last row whose first pixel is not beyond the i-th pixel
  for (uint half_ = 16; half_ > 0; half_ /= 2) {
    if (subgroupShuffle(rows.first, row + half_) <= i) row += half_;
  }
  return ivec2(i - subgroupShuffle(rows.first, row) + subgroupShuffle(rows.left, row), row);
}

// Copies the invocation's pixels to shared memory, and returns their number.
int keepPixels(uint layer, Window window) {
  const int own = int(gl_SubgroupInvocationID), down = own - window.reach;
  const bool there = own <= 2 * window.reach;
  const int half_ = there ? int(sqrt(float(window.reach * window.reach - down * down) + 0.5)) : 0;
  const int width = there ? 2 * half_ + 1 : 0;
  const int all_ = subgroupAdd(width);
  const DiscRow rows = DiscRow(subgroupExclusiveAdd(width), window.reach - half_);
  const ivec2 corner = window.center - window.reach;
  int kept = 0;
  for (int first = 0; first < all_; first += int(kGroup)) {
    const int i = first + int(gl_LocalInvocationIndex);
    const ivec2 at = discPixel(rows, min(i, all_ - 1));
    if (i >= all_ || !inside(corner + at)) continue;
    const uint value = uint(pixelAt(layer, corner + at));
    keptPixels[kept * int(kGroup) + int(gl_LocalInvocationIndex)] = value | uint(at.x) << 16 | uint(at.y) << 24;
    ++kept;
  }
  return kept;
}

// The copy on a CPU, in registers or local memory of each invocation. llvmpipe executes a loop once more than
// needed, and also the code that an `if` skips. So a loop that always has at least one turn tests at its end.
const int kOwn = 128;   // most pixels per invocation
const int kAtOnce = 2;  // pixels that one turn of the fit's loop handles
uint ownPixels[kForCpus ? kOwn : 1];

int keepOwn(uint layer, Window window, Raster raster) {
  int kept = 0;
  ivec2 next = raster.first;
  do {
    const ivec2 offset = next * window.step_;
    const bool counts = inWindow(window, offset);
    const uint value = uint(pixelAt(layer, counts ? window.center + offset : window.center));
    ownPixels[kept] = value | uint(offset.x + window.reach) << 16 | uint(offset.y + window.reach) << 24;
    kept += int(counts);
    advance(next, raster);
  } while (next.y <= raster.steps);
  return kept;
}

// Returns the factor by which the position's information is less than the fit says, because the fit underestimates the
// noise of the marker's own light. A fit of k unknowns to n pixels follows the noise, so the residuals show only
// (n - k) / n of it. The correction is smaller if n is hardly more than k.
float leftOfInformation(Model m, Noise noise, Equations q, float volume) {
  // The number of pixels is taken as (sum h)^2 / sum h^2, the area of a disc, or twice the volume of a Gaussian.
  const float more = volume * q.row0.y / max(q.row1.x, 1e-12) - 8.0;
  const float unseen = 16.0 / (more + sqrt(more * more + 16.0));
  const float seen = q.noise.w + noise.base * q.row0.y;  // sum of w h e^2
  const float grows =
      max((q.noise.w + unseen * seen) / (m.height * q.noise.z + 1e-9), noise.shot);
  // The pixels that tell the position have (2 / 3)^2 of the height in a Gaussian, and a half of it in a disc.
  const float light = 0.45 * m.height;
  return (noise.base + light * noise.shot) / (noise.base + light * grows);
}

// Returns the information of the position of a marker that is cut by the image border. The visible part does not allow
// to tell the position from background, height and width independently, so these count as unknown.
vec3 informationOfCut(uint layer, Window window, Model m, Noise noise, Equations q) {
  const int half_ = window.reach / window.step_, side = 2 * half_ + 1;
  const Terms terms = termsOf(m, noise);
  vec4 sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = vec4(0);
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
    const ivec2 offset = (ivec2(i % side, i / side) - half_) * window.step_;
    if (!inWindow(window, offset)) continue;
    const uint value = uint(pixelAt(layer, window.center + offset));
    const Pixel p = pixelOf(m, noise, terms, vec2(offset) - m.at, value, 0.0, 1.0);
    sums[0] += p.weight * p.move.x * p.shape;
    sums[1] += p.weight * p.move.y * p.shape;
  }
  groupSum(sums);
  const vec2 row2 = vec2(q.row2.x + kPrior, q.row2.y);
  const vec4 x = solve(q.row0, q.row1, row2, q.row3 + kPrior, sums[0]);
  const vec4 y = solve(q.row0, q.row1, row2, q.row3 + kPrior, sums[1]);
  const vec3 left = q.move - vec3(dot(sums[0], x), dot(sums[0], y), dot(sums[1], y));
  // Some information is always left, because of the prior knowledge.
  return left.x > 0.02 * q.move.x && left.z > 0.02 * q.move.z && left.x * left.z > left.y * left.y
             ? left
             : 0.02 * q.move;
}

// Continues a fit with the position and the slope of the background as joint unknowns, because an error of one shifts
// the other. Returns the information of the position if the slope is unknown. `moved` is the last step, px.
vec3 fitOnSlope(uint layer, Window window, inout Model m, Noise noise, float half_, out vec2 moved) {
  const int side = 2 * window.reach + 1;
  vec3 left = vec3(0);
  for (int k = 0; k < kSlopeSteps; ++k) {
    const Terms terms = termsOf(m, noise);
    vec4 sums[8];
    for (int i = 0; i < 8; ++i) sums[i] = vec4(0);
    for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
      const ivec2 offset = ivec2(i % side, i / side) - window.reach;
      if (!inWindow(window, offset)) continue;
      const vec2 tilt = vec2(offset);
      const uint value = uint(pixelAt(layer, window.center + offset));
      const Pixel p = pixelOf(m, noise, terms, tilt - m.at, value, 0.0, 1.0);
      sums[0] += p.weight * vec4(p.move.x * tilt, p.move.y * tilt);
      sums[1] += p.weight * vec4(p.move.x * p.move, p.move.y * p.move.y, 0.0);
      sums[2] += p.weight * vec4(tilt.x * tilt, tilt.y * tilt.y, 0.0);
      sums[3] += p.weight * p.e * vec4(p.move, tilt);
    }
    groupSum(sums);
    const vec3 move = sums[1].xyz, tilt = sums[2].xyz;
    const vec2 x = solve(tilt, sums[0].xy), y = solve(tilt, sums[0].zw);
    left = move - vec3(dot(sums[0].xy, x), dot(sums[0].xy, y), dot(sums[0].zw, y));
    const vec2 gradient = sums[3].xy - vec2(dot(x, sums[3].zw), dot(y, sums[3].zw));
    moved = clamp(solve(left, gradient), vec2(-0.5 * half_), vec2(0.5 * half_));
    m.at += moved;
    m.slope += solve(tilt, sums[3].zw - vec2(dot(sums[0].xz, moved), dot(sums[0].yw, moved)));
    moved = abs(moved);
  }
  return left;
}

// Returns the most steps of a fit that may read the given number of pixels.
int mostSteps(Raster raster, int pixels) {
  const int most = params.enabled == kRehearsed ? 1 : kIterations;
  return clamp(pixels / (raster.side * raster.side), min(5, most), most);
}

// Takes steps until the fit converges, but at most `iterations`. Returns true if it converged. `keeps` tells that the
// invocation has copied its pixels, `kept` of them. On return, `q` and `totals` belong to the last step, and `moved` is
// an estimate of how far further steps would move the position, px.
bool settle(uint layer, Window window, Raster raster, bool keeps, int kept, int iterations, Known known, inout Model m,
            inout Noise noise, inout Equations q, inout Totals totals, inout vec2 moved) {
  bool rests = false;
  float last = 1e9;      // px, length of the preceding step
  float informed = 0.0;  // information of the position in the preceding step
  for (int i = 0; i < iterations; ++i) {
    const Terms terms = termsOf(m, noise);
    clear(q, totals);
    ivec2 next = raster.first;
    if (kForCpus && keeps) {
      int k = 0;
      do {
        [[unroll]] for (int j = 0; j < kAtOnce; ++j) {
          const bool counts = k + j < kept;
          const uint pixel = counts ? ownPixels[k + j] : 0u;
          const ivec2 offset = ivec2(pixel >> 16 & 0xffu, pixel >> 24) - window.reach;
          addPixel(q, totals, m, noise, terms, vec2(offset) - m.at, pixel & 0xffffu, 0.0, counts ? 1.0 : 0.0);
        }
        k += kAtOnce;
      } while (k < kept);
    }
    for (int k = 0; keeps ? !kForCpus && k < kept : next.y <= raster.steps; ++k) {
      ivec2 offset = next * window.step_;
      uint value;
      bool counts = true;
      if (keeps && !kForCpus) {
        const uint pixel = keptPixels[k * int(kGroup) + int(gl_LocalInvocationIndex)];
        offset = ivec2(pixel >> 16 & 0xffu, pixel >> 24) - window.reach;
        value = pixel & 0xffffu;
      } else {
        counts = inWindow(window, offset);
        value = uint(pixelAt(layer, counts ? window.center + offset : window.center));
        advance(next, raster);
      }
      addPixel(q, totals, m, noise, terms, vec2(offset) - m.at, value, 0.0, counts ? 1.0 : 0.0);
    }
    reduce(q, totals);
    const vec2 before = m.at;
    improve(m, noise, q, i < 5 ? 1.0 : 0.6, i >= 8, known);
    // Steps shrink by a constant factor, so all further steps add up to a fraction of this one.
    const vec2 step_ = abs(m.at - before);
    const float shrinks = clamp((step_.x + step_.y) / max(last, 1e-9), 0.2, 0.5);
    moved = shrinks / (1.0 - shrinks) * step_;
    last = step_.x + step_.y;
    const float enough = clamp(0.05 * inversesqrt(max(max(q.move.x, q.move.z), 1.0)), 3e-4, 1.5e-3);
    const float informs = q.move.x + q.move.z;
    const bool steady = !kLong || abs(informs - informed) < kSteady * informs;
    informed = informs;
    rests = i > 2 && subgroupAll(steady && moved.x + moved.y < enough);
    if (rests) break;
  }
  return rests;
}

// Fits a marker, starting from the model `m`. If `sampled`, it first fits a sample of the pixels, and then needs only a
// few steps on all of them. `half_` is the radius at half height, px. `cut` tells that the window crosses the image
// border. `pixels` is the most pixels that the fit may read in all.
Fit fitMarker(uint layer, Window window, bool sampled, Model m, Noise noise, float half_, bool cut, int pixels) {
  const int finest = window.step_;
  if (sampled) window.step_ = sampleStep(window);
  Raster raster = rasterOf(window);
  const Known known = Known(sizeOf(m), half_, cut ? kSurely : kPrior, kPrior, cut ? m.ellipse : vec2(0));
  bool keeps = kForCpus ? raster.side * raster.side <= kOwn * int(kGroup) : kKeeps && window.reach <= kKeptReach;
  int kept = 0;
  if (keeps) kept = kForCpus ? keepOwn(layer, window, raster) : keepPixels(layer, window);
  int iterations = mostSteps(raster, pixels);
  Equations q;
  Totals totals;
  vec2 moved;  // px
  bool more;
  do {
    const bool rests = settle(layer, window, raster, keeps, kept, iterations, known, m, noise, q, totals, moved);
    more = window.step_ != finest;
    if (more) {
      window.step_ = finest;
      raster = rasterOfLarge(window);
      iterations = rests ? mostSteps(raster, pixels) : kLastSteps;
      if (kForCpus) keeps = false;  // the whole window has more pixels than an invocation can copy
    }
  } while (more);
  vec3 information = q.move;
  if (m.slope != vec2(0) && !cut) information = fitOnSlope(layer, window, m, noise, half_, moved);
  if (cut) information = informationOfCut(layer, window, m, noise, q);
  information *= leftOfInformation(m, noise, q, totals.volume);
  totals.mass *= float(window.step_ * window.step_);
  return Fit(m, noise, information, moved, totals);
}
