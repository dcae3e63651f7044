// Turns the result of the first look into the model from which a fit starts, and the result of a fit into a Detection.
// Include this file after refine_extent.glsl and refine_fit.glsl.

const float kRound = 1.6;       // largest elongation of round objects, whose fit starts from the middle of the ends
const float kLeastHalf = 0.6;   // px, least radius at half height from which a fit starts
const float kMostSlope = 0.5;   // most that the background may rise over kPlane px, as a share of the marker's height;
                                // a steeper slope is part of another light
const int kLargestReach = 120;  // px, largest radius of a window

// Returns the width of the edge: the distance in px from the radius at half height to that at three quarters. Below a
// radius of 0.7 px the upper limit is less than the lower one and prevails, which clamp() would not guarantee.
float firstSkirt(float half_, float quarter) {
  return min(max(half_ - quarter, 0.25), 0.36 * half_);
}

// Returns the ratio of the long axis of an ellipse to the geometric mean of both axes.
float longerOf(vec2 ellipse) {
  const float e = length(ellipse);
  return sqrt(sqrt((1.0 + e) / (1.0 - e)));
}

// Returns half of the size of an ellipse's bounding box, px along x and y. `end` is the long half axis in px.
ivec2 halfBoxOf(vec2 ellipse, float end) {
  const vec2 squares = vec2(1.0 - ellipse.x, 1.0 + ellipse.x) / (1.0 + length(ellipse));
  return ivec2(ceil(end * sqrt(squares) + 1.0));
}

// Returns the window of a marker that ends at `end` px from its centre, unless settings give the radius.
Window windowOf(ivec2 center, float end) {
  const int own = int(ceil(end + 1.0));
  return Window(center, min(params.radius != 0 ? int(params.radius) : own, kLargestReach), 1);
}

// Returns the round model that has the measured radii at half and at three quarters of its height.
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

// Returns the slope of the background around a marker, counts per px along x and y. Returns 0 if the marker does not
// end within kPlane, or if the slope is too steep for a background.
vec2 groundSlope(uint layer, ivec2 start, Surroundings around, int peak, float end) {
  if (end > float(kPlane)) return vec2(0);
  const vec2 slope = slopeOf(layer, start, around.darkest, around.noise);
  const float most = kMostSlope * float(peak - around.darkest);
  return length(slope) * float(kPlane) <= most ? slope : vec2(0);
}

// Writes the result of a fit to a Detection.
void describe(inout Detection d, Window window, Fit fit) {
  const vec2 size = vec2(params.plane.width, params.plane.height);
  const vec2 at = clamp(vec2(window.center) + fit.model.at, vec2(-0.5), size - 0.5);
  d.x = at.x;
  d.y = at.y;
  d.mass = fit.totals.mass;
  d.background = fit.model.base + dot(fit.model.slope, fit.model.at);
  if (fit.totals.volume > 0.0) d.radius = sqrt(2.0 * fit.totals.moment / fit.totals.volume);
  // The squares of the axes are in the ratio (1 - e) : (1 + e).
  const float e = length(fit.model.ellipse);
  d.eccentricity = sqrt(2.0 * e / (1.0 + e));
  if (kLong) d.radius *= sqrt(sqrt(1.0 - e * e));  // the radius of a disc of the same area
  const vec3 info = fit.information;
  const float det = info.x * info.z - info.y * info.y;
  if (det > 0.0) {
    // The distance that a fit which did not converge has still to go is part of its uncertainty.
    const vec2 sigma = sqrt(info.zx / det + fit.moved * fit.moved);
    d.sigmaX = min(sigma.x, float(window.reach));
    d.sigmaY = min(sigma.y, float(window.reach));
  }
  if (fit.totals.saturated > 0.0) d.flags |= kFlagSaturated;
}
