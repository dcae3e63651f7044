//! help Looks colours up in a table: a .cube file of 3 axes or 1, or a 512x512 image.
//! kind float
//! feeds response
//! planes grey colour
//! border none
//! colours table:
//!   A .cube file, or a colour image of 512x512 px. A grey plane takes the luminance of the colour that the table gives for its grey.
//! param order: default tiles; choices tiles hald; help
//!   Order of an image's pixels. tiles: 8x8 squares of one blue each, red to the right, green down (GPUImage's); hald: pixel by pixel, red
//!   counts up first, then green, then blue.
//! param interpolation: default trilinear; choices trilinear tetrahedral; help How to interpolate between entries of a table of 3 axes.
//! param intensity: default 1; range 0 to 1; neutral 0; help The result's share of the output; the rest is the input.
//! check the definition in double; FFmpeg's lut3d
const int kStart = 8;

vec3 entryAt(int i) {
  const int k = kStart + 3 * i;
  return vec3(uintBitsToFloat(table(k)), uintBitsToFloat(table(k + 1)), uintBitsToFloat(table(k + 2)));
}

// Returns the entry of the table for the steps of red, green and blue.
vec3 entry(ivec3 i) {
  const int n = int(table(0));
  if (table(1) == 0u && P.order == 0) return entryAt((i.b / 8 * 64 + i.g) * 512 + i.b % 8 * 64 + i.r);
  return entryAt(i.r + n * (i.g + n * i.b));
}

vec3 trilinear(ivec3 a, ivec3 b, vec3 f) {
  const vec3 near = mix(mix(entry(a), entry(ivec3(b.r, a.gb)), f.r), mix(entry(ivec3(a.r, b.g, a.b)), entry(ivec3(b.rg, a.b)), f.r), f.g);
  const vec3 far = mix(mix(entry(ivec3(a.rg, b.b)), entry(ivec3(b.r, a.g, b.b)), f.r), mix(entry(ivec3(a.r, b.gb)), entry(b), f.r), f.g);
  return mix(near, far, f.b);
}

// Interpolates along the axes in the order of falling fractions. Of equal fractions red comes first, then green.
vec3 tetrahedral(ivec3 a, ivec3 b, vec3 f) {
  const int first = f.r >= f.g && f.r >= f.b ? 0 : f.g >= f.b ? 1 : 2;
  const int last = f.b <= f.r && f.b <= f.g ? 2 : f.g <= f.r ? 1 : 0;
  const int middle = 3 - first - last;
  ivec3 at = a;
  vec3 sum = entry(at) * (1.0 - f[first]);
  at[first] = b[first];
  sum += entry(at) * (f[first] - f[middle]);
  at[middle] = b[middle];
  sum += entry(at) * (f[middle] - f[last]);
  return sum + entry(b) * f[last];
}

vec3 lookedUp(vec3 rgb) {
  const int n = int(table(0));
  const vec3 least = vec3(uintBitsToFloat(table(2)), uintBitsToFloat(table(3)), uintBitsToFloat(table(4)));
  const vec3 range = vec3(uintBitsToFloat(table(5)), uintBitsToFloat(table(6)), uintBitsToFloat(table(7)));
  const vec3 p = clamp((rgb - least) / range * float(n - 1), vec3(0.0), vec3(n - 1));
  const ivec3 a = ivec3(floor(p)), b = min(a + 1, n - 1);
  const vec3 f = p - vec3(a);
  if (table(1) == 1u)
    return mix(vec3(entryAt(a.r).r, entryAt(a.g).g, entryAt(a.b).b), vec3(entryAt(b.r).r, entryAt(b.g).g, entryAt(b.b).b), f);
  return P.interpolation == 0 ? trilinear(a, b, f) : tetrahedral(a, b, f);
}

uint value(ivec2 p, int c) {
  const float full = float(kFull), v = float(at(p, c));
  const bool grey = kChannels == 1u;
  const vec3 out_ = lookedUp((grey ? vec3(v) : vec3(at(p, 2), at(p, 1), at(p, 0))) / full);
  const float looked = grey ? dot(out_, vec3(54.0, 183.0, 19.0)) / 256.0 : out_[2 - c];
  return uint(clamp(floor(mix(v, looked * full, P.intensity) + 0.5), 0.0, full));
}
