// Maximum-likelihood fit of a marker's model to the pixels of a window. The model is
//   value = base + height * h(u),  h(u) = 1 / (1 - e^-plateau + e^(u - plateau)),
//   u = (x^2 + y^2 + e1 (x^2 - y^2) + 2 e2 x y) / tau:
// a Gaussian for plateau = 0 and a disc with a soft edge for large plateau, round or elliptical. A
// pixel's variance is base + shot * signal, both estimated from the residuals. See
// docs/detection.md. Where kLong, the edge of a disc is as wide at the ends of an ellipse as at its sides, and e1 and
// e2 change at the same area. Include after declaring `lookAt`, `inside`, `groupSum` and kLong. The workgroup works
// together.

const int kIterations = 20;
// On all pixels, after those on a sample that did not come to rest.
const int kLastSteps = 3;
// Most pixels read in all: llvmpipe leaves its loops after 65,535 iterations, which here are 4
// pixels or more, by its subgroup size.
const int kMostPixels = 240000;
const int kMostPixelsOfCrowd = 2500;
const int kSlopeSteps = 3;
const float kLargestPlateau = 200.0;
// Weight of what is known beforehand about the shape (its logarithm of tau as first measured, a
// Gaussian, round), as 1 / variance: what keeps faint markers from absurd shapes.
const float kPrior = 10.0;
// The same where it cannot be told: part of a marker does not tell an ellipse from a shift.
const float kSurely = 1e9;
// Widths, and e of such an ellipse: beyond what --elongated accepts, so that lines are told from markers.
const float kLongest = 10.0, kMostBend = (kLongest * kLongest - 1.0) / (kLongest * kLongest + 1.0);
// Of the position's information, from one step to the next: then a long marker's shape and noise are known, too.
const float kSteady = 0.02;

struct Window {
  ivec2 center;  // px
  int reach;     // px, radius
  int step_;     // px, from one pixel that is read to the next, along x and y
};

// Of every n-th pixel of every n-th row: no more than a window of kKeptReach has.
const int kKeptReach = 12;  // px
int sampleStep(Window window) {
  return (window.reach + kKeptReach - 1) / kKeptReach;
}

struct Model {
  vec2 at;             // px from the window's centre
  float base, height;  // background, and the marker's height above it
  float logTau, plateau;
  vec2 ellipse;  // e1, e2
  vec2 slope;    // of the background, counts a px, about the window's centre
};

struct Noise {
  float base;  // variance of a background pixel
  float shot;  // its growth with the signal
};

// Sums over the window of the derivatives' products: position, ellipse, and base, height, logTau,
// flat. The three are independent of one another by symmetry, and solved apart.
struct Equations {
  vec2 moveGradient, bendGradient;
  vec3 move, bend;  // xx, xy, yy
  vec4 gradient;
  vec4 row0;
  vec3 row1;
  vec2 row2;
  float row3;
  vec4
      noise;  // weight and sum of squares of background pixels; the same for the growth with signal
};

struct Totals {
  float mass, volume, moment;  // above the background; of the model, and its second moment
  float saturated;  // pixels
};

struct Fit {
  Model model;
  Noise noise;
  vec3 information;  // of the position, 1 / px^2: xx, xy, yy
  vec2 moved;        // px, what the last step leaves
  Totals totals;
};

float fourth(float x) {
  return x * x * x * x;
}

// What is the same for all pixels of an iteration.
struct Terms {
  float perTau;   // 1 / tau
  float fall;     // 1 - e^-plateau
  float outlier;  // four standard deviations of a background pixel
  float edge;     // 0 of a Gaussian to 1 of a disc
  vec2 narrows;   // change of logTau with the ellipse, at the same area
};

// A pixel beside the model, and the model's derivatives there.
struct Pixel {
  bool full;           // saturated
  float own;           // its value without others' light and the background's slope
  float h, e;          // of the model, and what is left of that
  float known, trust;  // 0 to 1
  float weight;        // 1 / variance, times trust
  vec2 move, bend;     // by the position, and by the ellipse
  vec4 shape;          // by base, height, logTau, and plateau
};

// Of a pixel at d from the marker's position; `counts` is 1, or 0 to leave it out; `others` is the
// light that other markers have there.
Pixel pixelOf(Model m, Noise noise, Terms c, vec2 d, uint value, float others, float counts) {
  const float u =
      (dot(d, d) + m.ellipse.x * (d.x * d.x - d.y * d.y) + 2.0 * m.ellipse.y * d.x * d.y) *
      c.perTau;
  float sharper = 1.0;  // than that
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
  // A saturated pixel says no more than that the marker is at least so bright.
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

// Adds such a pixel.
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

// Solves the symmetric system whose upper triangle the rows are.
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

vec2 solve(vec3 m, vec2 b) {
  const float det = m.x * m.z - m.y * m.y;
  return det > 0.0 ? vec2(m.z * b.x - m.y * b.y, m.x * b.y - m.y * b.x) / det : vec2(0);
}

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

// What is known beforehand of a marker.
struct Known {
  float logTau, half_;  // as first measured
  float round_;         // weight of a round shape: 1 / variance of e1 and e2
  float gaussian;       // weight of a Gaussian: 1 / variance of a plateau below 1
  vec2 ellipse;         // where kLong, in place of a round shape
};

// logTau of a round marker of the same area.
float sizeOf(Model m) {
  return kLong ? m.logTau - 0.5 * log(1.0 - dot(m.ellipse, m.ellipse)) : m.logTau;
}

// Makes it longer or shorter at the same area.
void stretch(inout Model m, vec2 ellipse) {
  const float size = sizeOf(m);
  m.ellipse = ellipse * kMostBend / max(kMostBend, length(ellipse));
  m.logTau = size + 0.5 * log(1.0 - dot(m.ellipse, m.ellipse));
}

// One step of Gauss and Newton, each quantity by no more than it can be trusted to go.
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
  // clamp() is undefined where the limits change places. Below zero the height triples until the fit
  // is given up.
  m.height = min(max(m.height + step.y, 0.3 * m.height), 3.0 * m.height);
  m.logTau += clamp(step.z, -0.5, 0.5);
  const float mostPlateau = 0.3 * abs(m.plateau) + 0.5;
  m.plateau = clamp(m.plateau + clamp(step.w, -mostPlateau, mostPlateau), -0.1, kLargestPlateau);
  // 1.045: what a normal distribution loses by the weight 1 / (1 + (e / 4 s)^4).
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

bool inWindow(Window window, ivec2 offset) {
  return dot(vec2(offset), vec2(offset)) <= float(window.reach * window.reach) &&
         inside(window.center + offset);
}

// How an invocation goes through the pixels of a window's square, in steps from its centre.
struct Raster {
  int steps, side;
  ivec2 first, stride;
};

Raster rasterOf(Window window) {
  const int steps = window.reach / window.step_, side = 2 * steps + 1, lane = int(gl_LocalInvocationIndex);
  return Raster(steps, side, ivec2(lane % side, lane / side) - steps, ivec2(int(kGroup) % side, int(kGroup) / side));
}

// The same of a row that is longer than a CPU's group: a division takes llvmpipe long.
Raster rasterOfLarge(Window window) {
  const ivec2 first = ivec2(gl_LocalInvocationIndex, 0) - window.reach;
  return kForCpus ? Raster(window.reach, 2 * window.reach + 1, first, ivec2(kGroup, 0)) : rasterOf(window);
}

void advance(inout ivec2 next, Raster raster) {
  next += raster.stride;
  if (next.x > raster.steps) next += ivec2(-raster.side, 1);
}

// The pixels of a small window's disc that lie in the image: an invocation takes every kGroup-th, row by
// row, and keeps it in shared memory, so that no step of the fit looks at the image or beside the disc.
const int kKept = 4;        // pixels of an invocation: 441 in all
const bool kKeeps = !kAlone && kLanes > uint(2 * kKeptReach);
shared uint keptPixels[kKeeps ? kKept * int(kGroup) : 1];  // value, and x and y from the corner of the square

// Of the disc's row that an invocation of the subgroup stands for, from the top.
struct DiscRow {
  int first;  // pixel, counted row by row
  int left;   // px from the square's left
};

// The i-th pixel of the disc, from the corner of the square. All of a subgroup must call it.
ivec2 discPixel(DiscRow rows, int i) {
  uint row = 0;  // the last one that does not begin after it
  for (uint half_ = 16; half_ > 0; half_ /= 2) {
    if (subgroupShuffle(rows.first, row + half_) <= i) row += half_;
  }
  return ivec2(i - subgroupShuffle(rows.first, row) + subgroupShuffle(rows.left, row), row);
}

// Keeps an invocation's pixels; returns their number.
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
    const uint value = uint(lookAt(layer, corner + at));
    keptPixels[kept * int(kGroup) + int(gl_LocalInvocationIndex)] = value | uint(at.x) << 16 | uint(at.y) << 24;
    ++kept;
  }
  return kept;
}

// The same on a CPU, where an invocation keeps its own. llvmpipe goes through a loop once more than it is asked for,
// and through what `if` leaves out: a loop that surely has something to do asks at its end.
const int kOwn = 128;   // pixels of an invocation
const int kAtOnce = 2;  // that a turn of the fit's loop takes
uint ownPixels[kForCpus ? kOwn : 1];

int keepOwn(uint layer, Window window, Raster raster) {
  int kept = 0;
  ivec2 next = raster.first;
  do {
    const ivec2 offset = next * window.step_;
    const bool counts = inWindow(window, offset);
    const uint value = uint(lookAt(layer, counts ? window.center + offset : window.center));
    ownPixels[kept] = value | uint(offset.x + window.reach) << 16 | uint(offset.y + window.reach) << 24;
    kept += int(counts);
    advance(next, raster);
  } while (next.y <= raster.steps);
  return kept;
}

// What of the information is left where the marker's own noise counts as much as it must: in n pixels
// a fit of k unknowns follows noise, and leaves (n - k) / n of it to see; eased where n is hardly more
// than k.
float leftOfInformation(Model m, Noise noise, Equations q, float volume) {
  // (sum h)^2 / sum h^2: a disc's area, twice a Gaussian's volume.
  const float more = volume * q.row0.y / max(q.row1.x, 1e-12) - 8.0;
  const float unseen = 16.0 / (more + sqrt(more * more + 16.0));
  const float seen = q.noise.w + noise.base * q.row0.y;  // sum of w h e^2
  const float grows =
      max((q.noise.w + unseen * seen) / (m.height * q.noise.z + 1e-9), noise.shot);
  // Where the position's information is, a Gaussian has (2 / 3)^2 of its height, and a disc half.
  const float light = 0.45 * m.height;
  return (noise.base + light * noise.shot) / (noise.base + light * grows);
}

// Information of the position of a marker that is cut by the border: what is left to see does not
// tell its place from its background, height and width, so that these count as unknown.
vec3 informationOfCut(uint layer, Window window, Model m, Noise noise, Equations q) {
  const int half_ = window.reach / window.step_, side = 2 * half_ + 1;
  const Terms terms = termsOf(m, noise);
  vec4 sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = vec4(0);
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kGroup)) {
    const ivec2 offset = (ivec2(i % side, i / side) - half_) * window.step_;
    if (!inWindow(window, offset)) continue;
    const uint value = uint(lookAt(layer, window.center + offset));
    const Pixel p = pixelOf(m, noise, terms, vec2(offset) - m.at, value, 0.0, 1.0);
    sums[0] += p.weight * p.move.x * p.shape;
    sums[1] += p.weight * p.move.y * p.shape;
  }
  groupSum(sums);
  const vec2 row2 = vec2(q.row2.x + kPrior, q.row2.y);
  const vec4 x = solve(q.row0, q.row1, row2, q.row3 + kPrior, sums[0]);
  const vec4 y = solve(q.row0, q.row1, row2, q.row3 + kPrior, sums[1]);
  const vec3 left = q.move - vec3(dot(sums[0], x), dot(sums[0], y), dot(sums[1], y));
  // What is known beforehand leaves some of it.
  return left.x > 0.02 * q.move.x && left.z > 0.02 * q.move.z && left.x * left.z > left.y * left.y
             ? left
             : 0.02 * q.move;
}

// Fits position and slope of the background together, which shift one another, from where the fit
// has come to; the information of the position, the slope being unknown.
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
      const uint value = uint(lookAt(layer, window.center + offset));
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

// Of a fit that may read so many pixels.
int mostSteps(Raster raster, int pixels) {
  const int most = params.enabled == kRehearsed ? 1 : kIterations;
  return clamp(pixels / (raster.side * raster.side), min(5, most), most);
}

// Steps until the fit is at rest, or there were so many; returns whether it is. `q` and `totals` are those of the last
// one, `moved` is still to come.
bool settle(uint layer, Window window, Raster raster, bool keeps, int kept, int iterations, Known known, inout Model m,
            inout Noise noise, inout Equations q, inout Totals totals, inout vec2 moved) {
  bool rests = false;
  float last = 1e9;      // px, the step before
  float informed = 0.0;  // its information
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
        value = uint(lookAt(layer, counts ? window.center + offset : window.center));
        advance(next, raster);
      }
      addPixel(q, totals, m, noise, terms, vec2(offset) - m.at, value, 0.0, counts ? 1.0 : 0.0);
    }
    reduce(q, totals);
    const vec2 before = m.at;
    improve(m, noise, q, i < 5 ? 1.0 : 0.6, i >= 8, known);
    // Steps shrink by a steady factor: those still to come add up to a part of this one.
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
      if (kForCpus) keeps = false;  // where the whole window is too large to be kept, too
    }
  } while (more);
  vec3 information = q.move;
  if (m.slope != vec2(0) && !cut) information = fitOnSlope(layer, window, m, noise, half_, moved);
  if (cut) information = informationOfCut(layer, window, m, noise, q);
  information *= leftOfInformation(m, noise, q, totals.volume);
  totals.mass *= float(window.step_ * window.step_);
  return Fit(m, noise, information, moved, totals);
}
