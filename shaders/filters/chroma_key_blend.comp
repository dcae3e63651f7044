//! help Replaces a colour with a second image.
//! kind float
//! feeds view
//! planes colour
//! border none
//! input over: The second image.
//! param red: default 0; range 0 to 1; help Red of the colour.
//! param green: default 1; range 0 to 1; help Green of the colour.
//! param blue: default 0; range 0 to 1; help Blue of the colour.
//! param threshold: default 0.4; range 0 to 1; help How far a pixel may differ from the colour and still be replaced fully.
//! param smoothing: default 0.1; range 0 to 1; help Beyond threshold, the second image fades out over this difference.
//! param relative: default false; help Compare colours without their brightness, so that dark ones count too.
//! check the formula in double
vec2 chroma(vec3 rgb) {
  const float y = dot(rgb, vec3(0.2989, 0.5866, 0.1145));
  const vec2 both = vec2(0.7132 * (rgb.r - y), 0.5647 * (rgb.b - y));
  return P.relative != 0 ? both / max(y, 0.0625) : both;
}

uint value(ivec2 p, int c) {
  const vec3 rgb = vec3(at(p, 2), at(p, 1), at(p, 0)) / float(kFull);
  const float d = distance(chroma(rgb), chroma(vec3(P.red, P.green, P.blue)));
  const float t = P.smoothing > 0.0 ? clamp((d - P.threshold) / P.smoothing, 0.0, 1.0) : d >= P.threshold ? 1.0 : 0.0;
  const float k = t * t * (3.0 - 2.0 * t);
  return uint(clamp(floor(mix(float(over(p, c)), float(at(p, c)), k) + 0.5), 0.0, float(kFull)));
}
