//! help Lays a second image over the first.
//!   Its modes are those of W3C's Compositing and Blending, and a few others.
//! kind float
//! feeds response
//! planes grey colour
//! border none
//! input over: The second image.
//! param mode: default alpha; choices add alpha burn dodge color hue saturation luminosity multiply screen hard_light overlay soft_light
//!   darken lighten difference exclusion subtract divide linear_burn dissolve; help How the two images combine.
//! param opacity: default 1; range 0 to 1; neutral 0; help Opacity of the second image.
//! check the formulas in double; cv::add, cv::addWeighted
const int kAdd = 0, kAlpha = 1, kBurn = 2, kDodge = 3, kColor = 4, kHue = 5, kSaturation = 6, kLuminosity = 7, kMultiply = 8,
          kScreen = 9, kHardLight = 10, kOverlay = 11, kSoftLight = 12, kDarken = 13, kLighten = 14, kDifference = 15,
          kExclusion = 16, kSubtract = 17, kDivide = 18, kDissolve = 20;

float lum(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }
float sat(vec3 c) { return max(max(c.r, c.g), c.b) - min(min(c.r, c.g), c.b); }

vec3 setLum(vec3 c, float l) {
  c += l - lum(c);
  const float now = lum(c), n = min(min(c.r, c.g), c.b), m = max(max(c.r, c.g), c.b);
  if (n < 0.0 && now > n) c = now + (c - now) * now / (now - n);
  if (m > 1.0 && m > now) c = now + (c - now) * (1.0 - now) / (m - now);
  return c;
}

vec3 setSat(vec3 c, float s) {
  const float n = min(min(c.r, c.g), c.b), range = sat(c);
  return range > 0.0 ? (c - n) * s / range : vec3(0.0);
}

float hardLight(float b, float s) { return s <= 0.5 ? 2.0 * b * s : b + (2.0 * s - 1.0) - b * (2.0 * s - 1.0); }

float softLight(float b, float s) {
  if (s <= 0.5) return b - (1.0 - 2.0 * s) * b * (1.0 - b);
  const float d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : sqrt(b);
  return b + (2.0 * s - 1.0) * (d - b);
}

float separate(float b, float s) {
  switch (P.mode) {
    case kBurn: return b >= 1.0 ? 1.0 : s <= 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - b) / s);
    case kDodge: return b <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : min(1.0, b / (1.0 - s));
    case kMultiply: return b * s;
    case kScreen: return b + s - b * s;
    case kHardLight: return hardLight(b, s);
    case kOverlay: return hardLight(s, b);
    case kSoftLight: return softLight(b, s);
    case kDarken: return min(b, s);
    case kLighten: return max(b, s);
    case kDifference: return abs(b - s);
    case kExclusion: return b + s - 2.0 * b * s;
    case kSubtract: return max(0.0, b - s);
    case kDivide: return s <= 0.0 ? 1.0 : min(1.0, b / s);
    case kAlpha: return s;
    case kDissolve: return s;  // dissolve equals alpha, since the images are opaque
  }
  return max(0.0, b + s - 1.0);  // linear_burn
}

vec3 rgbOf(uvec3 v) { return vec3(v) / float(kFull); }
uvec3 backdrop(ivec2 p) { return kChannels == 1u ? uvec3(at(p, 0)) : uvec3(at(p, 2), at(p, 1), at(p, 0)); }
uvec3 source(ivec2 p) { return kChannels == 1u ? uvec3(over(p, 0)) : uvec3(over(p, 2), over(p, 1), over(p, 0)); }

float together(ivec2 p, int c) {
  const vec3 b = rgbOf(backdrop(p)), s = rgbOf(source(p));
  vec3 all = vec3(0.0);
  if (P.mode == kColor) all = setLum(s, lum(b));
  else if (P.mode == kHue) all = setLum(setSat(s, sat(b)), lum(b));
  else if (P.mode == kSaturation) all = setLum(setSat(b, sat(s)), lum(b));
  else all = setLum(b, lum(s));
  return kChannels == 1u ? all.r : all[2 - c];
}

uint divided(uint a, uint b) { return (a + b / 2u) / b; }

// Blends an opaque second image in integers, so that the result is the same on every device. Returns false if the mode
// needs floats.
bool exactly(uint b, uint s, out uint v) {
  const uint F = kFull;
  switch (P.mode) {
    case kAdd: v = min(F, b + s); return true;
    case kMultiply: v = divided(b * s, F); return true;
    case kScreen: v = b + s - divided(b * s, F); return true;
    case kDodge: v = b == 0u ? 0u : s == F ? F : min(F, divided(b * F, F - s)); return true;
    case kBurn: v = b == F ? F : s == 0u ? 0u : F - min(F, divided((F - b) * F, s)); return true;
    case kDarken: v = min(b, s); return true;
    case kLighten: v = max(b, s); return true;
    case kDifference: v = max(b, s) - min(b, s); return true;
    case kSubtract: v = b - min(b, s); return true;
  }
  return false;
}

uint value(ivec2 p, int c) {
  uint exact = 0u;
  if (P.opacity == 1.0 && exactly(at(p, c), over(p, c), exact)) return exact;
  const float b = float(at(p, c)) / float(kFull), s = float(over(p, c)) / float(kFull);
  float result = 0.0;
  if (P.mode == kAdd) {
    result = min(1.0, b + P.opacity * s);
  } else {
    const bool whole = P.mode >= kColor && P.mode <= kLuminosity;
    result = mix(b, whole ? together(p, c) : separate(b, s), P.opacity);
  }
  return uint(clamp(floor(result * float(kFull) + 0.5), 0.0, float(kFull)));
}
