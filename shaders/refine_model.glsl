// From a first look to the model that a fit starts from, and from the fit to what is told of a marker.
// Include after refine_extent.glsl and refine_fit.glsl.

const float kRound = 1.6;       // elongation of what is round: then the ends' middle may be the start
const float kLeastHalf = 0.6;   // px, radius at half height that a fit starts from
const float kMostSlope = 0.5;   // of the height, as far as kPlane: steeper ground is part of a light
const int kLargestReach = 120;  // px, of a window

// Px from half height in to three quarters. Below a radius of 0.7 px the second limit is the lower
// one and holds; clamp() is undefined there.
float firstSkirt(float half_, float quarter) {
  return min(max(half_ - quarter, 0.25), 0.36 * half_);
}

// The long axis of the mean of both.
float longerOf(vec2 ellipse) {
  const float e = length(ellipse);
  return sqrt(sqrt((1.0 + e) / (1.0 - e)));
}

// px along x and y to where an ellipse ends whose long half axis is `end`.
ivec2 halfBoxOf(vec2 ellipse, float end) {
  const vec2 squares = vec2(1.0 - ellipse.x, 1.0 + ellipse.x) / (1.0 + length(ellipse));
  return ivec2(ceil(end * sqrt(squares) + 1.0));
}

Window windowOf(ivec2 center, float end) {
  const int own = int(ceil(end + 1.0));
  return Window(center, min(params.radius != 0 ? int(params.radius) : own, kLargestReach), 1);
}

// The model that has the measured radii at half and three quarters of its height.
Model firstModel(vec2 at, Surroundings around, int peak, float half_, float skirt) {
  Model m;
  m.at = at;
  m.ellipse = vec2(0);
  m.base = float(around.darkest);
  m.height = float(peak - around.darkest);
  m.slope = vec2(0);
  if (uint(peak) >= params.fullScale) m.height *= 1.3;
  const float inner = half_ - skirt;
  m.plateau = clamp(1.6 / (half_ * half_ / (inner * inner) - 1.0) - 0.6, 0.2, kLargestPlateau);
  m.logTau = log(half_ * half_ / (m.plateau + log(1.0 + exp(-m.plateau))));
  return m;
}

// Slope of the ground around a light that ends within kPlane, counts a px; else 0.
vec2 groundSlope(uint layer, ivec2 start, Surroundings around, int peak, float end) {
  if (end > float(kPlane)) return vec2(0);
  const vec2 slope = slopeOf(layer, start, around.darkest, around.noise);
  const float most = kMostSlope * float(peak - around.darkest);
  return length(slope) * float(kPlane) <= most ? slope : vec2(0);
}

void describe(inout Detection d, Window window, Fit fit) {
  const vec2 size = vec2(params.plane.width, params.plane.height);
  const vec2 at = clamp(vec2(window.center) + fit.model.at, vec2(-0.5), size - 0.5);
  d.x = at.x;
  d.y = at.y;
  d.mass = fit.totals.mass;
  d.background = fit.model.base + dot(fit.model.slope, fit.model.at);
  if (fit.totals.volume > 0.0) d.radius = sqrt(2.0 * fit.totals.moment / fit.totals.volume);
  // The axes' squares are as 1 - e to 1 + e.
  const float e = length(fit.model.ellipse);
  d.eccentricity = sqrt(2.0 * e / (1.0 + e));
  if (kLong) d.radius *= sqrt(sqrt(1.0 - e * e));  // of a disc of the same area
  const vec3 info = fit.information;
  const float det = info.x * info.z - info.y * info.y;
  if (det > 0.0) {
    // A fit that did not come to rest is no better than what its last step leaves.
    const vec2 sigma = sqrt(info.zx / det + fit.moved * fit.moved);
    d.sigmaX = min(sigma.x, float(window.reach));
    d.sigmaY = min(sigma.y, float(window.reach));
  }
  if (fit.totals.saturated > 0.0) d.flags |= kFlagSaturated;
}
