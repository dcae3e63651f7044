// The first look at a marker, which finds where the marker lies and how far it reaches. The fit starts from that.
// Rings of pixels around the start give the background and its noise. Then rays in 16 directions find the edge, where
// half of the height is lost. This is integer arithmetic, except for markers that are cut by the image border and for
// the shape. Include this file after declaring `pixelAt` and `inside`. Each subgroup works alone.

const int kDirections = 16;

// Returns 256 times the cosine of a direction, which counts multiples of 22.5 degrees: 256, 237, 181, 98, 0, -98 ...
// It computes the values because llvmpipe would fill a table again at each use.
int cosOf(int direction) {
  int i = direction & 15;
  i = i > 8 ? 16 - i : i;
  const int folded = i > 4 ? 8 - i : i;
  const int size = folded == 0 ? 256 : 0x62b5ed >> (8 * (folded - 1)) & 255;
  return i > 4 ? -size : i == 4 ? 0 : size;
}

// Returns 256 times the unit vector of a direction.
ivec2 unitOf(int direction) {
  return ivec2(cosOf(direction), cosOf(direction + 12));
}

// Returns the pixel at a distance (px) from a pixel along a unit vector of unitOf().
ivec2 along(ivec2 from, ivec2 unit, int distance) {
  return from + ((distance * unit + 128) >> 8);
}

struct Surroundings {
  int darkest;  // mean of the darkest ring of pixels around the start, which is nearly the background
  float noise;  // standard deviation of the pixels of this ring
  int range;    // px, radius of the largest ring that was examined
  bool clear;   // true if the peak stands out of the noise
};

// Sums over the pixels of a ring.
struct Ring {
  int count, sum;   // number and sum of the pixels inside the image
  int pairs, jump;  // number of pairs of neighbours along the ring, and the sum of their absolute differences
};

// Returns the values of four pixels of a ring, from the direction `first` on, with -1 for pixels outside of the image.
ivec4 ringPixels(uint layer, ivec2 center, int radius, int first) {
  const ivec2 a = along(center, unitOf(first), radius), b = along(center, unitOf(first + 1), radius);
  const ivec2 c = along(center, unitOf(first + 2), radius), d = along(center, unitOf(first + 3), radius);
  const bvec4 there = bvec4(inside(a), inside(b), inside(c), inside(d));
  const ivec4 values = ivec4(pixelAt(layer, there.x ? a : center), pixelAt(layer, there.y ? b : center),
                             pixelAt(layer, there.z ? c : center), pixelAt(layer, there.w ? d : center));
  return mix(ivec4(-1), values, there);
}

int sumOf(ivec4 v) {
  return v.x + v.y + v.z + v.w;
}

void addToRing(inout Ring ring, ivec4 values, int before) {
  const ivec4 earlier = ivec4(before, values.xyz);
  const ivec4 counts = ivec4(greaterThanEqual(values, ivec4(0)));
  const ivec4 pairs = counts * ivec4(greaterThanEqual(earlier, ivec4(0)));
  ring.count += sumOf(counts);
  ring.sum += sumOf(counts * values);
  ring.pairs += sumOf(pairs);
  ring.jump += sumOf(pairs * abs(values - earlier));
}

// Returns the sums over a ring. Four neighbouring invocations of a subgroup work together on it, and each reads a
// quarter of the ring: `quarter` is the number of the invocation among the four. All invocations of the subgroup must
// call this together.
const uint kQuarters = 4u;
Ring measureRing(uint layer, ivec2 center, int radius, uint quarter) {
  const ivec4 values = ringPixels(layer, center, radius, 4 * int(quarter));
  const uint before = (gl_SubgroupInvocationID & ~3u) | ((quarter + 3u) & 3u);
  Ring ring = Ring(0, 0, 0, 0);
  addToRing(ring, values, subgroupShuffle(values.w, before));
  ivec4 sums = ivec4(ring.count, ring.sum, ring.pairs, ring.jump);
  sums += subgroupShuffleXor(sums, 1);
  sums += subgroupShuffleXor(sums, 2);
  return Ring(sums.x, sums.y, sums.z, sums.w);
}

// The first ring that is used. Smaller rings contain pixels twice, which hides their noise.
const int kFirstRing = 2;
// Returns the radius (px) of ring i: 1 to 8, then four rings per octave: 10, 12, 14, 16, 20 ... 128.
int ringRadius(int i) {
  return i < 8 ? i + 1 : (5 + i % 4) << (i / 4 - 1);
}

// px, radii of the two rings that show the slope of the background. Farther away the background may not be a plane.
const int kPlane = 8, kBeyond = 10;
// The slopes of both rings may differ by kAlikeSlopes times the slope, plus kBothErrors times the noise (counts per px),
// which allows for the errors of both slopes.
const float kAlikeSlopes = 0.25;
const float kBothErrors = 0.15;
const float kSurelySloped = 4.0;  // least slope, in standard deviations of its own error
const float kMostlyPlane = 2.5;   // largest variance of a ring's pixels about a plane, in units of the noise's variance

// Sums over the pixels of a ring. A value near theirs is subtracted from the pixels, so that the sums stay small.
struct PlaneSums {
  ivec4 moments;  // number of pixels inside the image; sum of values; sum of values times 256 cos, and times 256 sin
  float squares;  // sum of squared values
};

PlaneSums sumRing(uint layer, ivec2 center, int radius, int ground) {
  PlaneSums s = PlaneSums(ivec4(0), 0.0);
  for (int d = int(gl_SubgroupInvocationID); d < kDirections; d += int(kLanes)) {
    const ivec2 unit = unitOf(d), at = along(center, unit, radius);
    if (!inside(at)) continue;
    const int value = pixelAt(layer, at) - ground;
    s.moments += ivec4(1, value, value * unit);
    s.squares += float(value) * float(value);
  }
  return PlaneSums(sumAcross(s.moments), sumAcross(s.squares));
}

// Returns the slope of the plane through the pixels of a ring, in counts per px along x and y. Returns 0 if the pixels
// do not lie on a plane, or if the slope is less than `least` standard deviations of its own error.
vec2 planeOf(PlaneSums s, int radius, float noise, float least) {
  if (s.moments.x < kDirections) return vec2(0);
  // The mean of cos^2, and of sin^2, over all directions is 1/2.
  const vec2 tilt = vec2(s.moments.zw) / (256.0 * 0.5 * float(kDirections));
  const float plane = 0.5 * float(kDirections) * dot(tilt, tilt);
  const float sum = float(s.moments.y);
  const float left = s.squares - sum * sum / float(kDirections) - plane;
  const float variance = noise * noise + 1.0 / 12.0;
  const bool sure = plane > least * least * variance;
  const bool flat_ = left < kMostlyPlane * float(kDirections - 3) * variance;
  return sure && flat_ ? tilt / float(radius) : vec2(0);
}

// The sums over the rings with the radii kPlane and kBeyond, if several subgroups share the first look.
shared PlaneSums planeSums[2];

PlaneSums sumsOf(uint layer, ivec2 center, uint ring, int ground) {
  if (kAlone) return sumRing(layer, center, ring == 0 ? kPlane : kBeyond, ground);
  return planeSums[ring];
}

// Returns the slope of the background in counts per px along x and y. Returns 0 unless both rings have the same slope.
// The light of a neighbour does not pass this test, because its slope changes with the distance.
vec2 slopeOf(uint layer, ivec2 center, int ground, float noise) {
  const vec2 slope = planeOf(sumsOf(layer, center, 0, ground), kPlane, noise, kSurelySloped);
  if (slope == vec2(0)) return slope;
  const vec2 beyond = planeOf(sumsOf(layer, center, 1, ground), kBeyond, noise, 0.0);
  const float most = kAlikeSlopes * length(slope) + kBothErrors * noise;
  return distance(slope, beyond) <= most ? slope : vec2(0);
}

// Finds the darkest ring around a peak. The search goes outwards octave by octave, and ends when a ring is darker than
// the peak by about six standard deviations of the noise. Four or five would not be enough, because the brightest pixel
// of a large plateau is that far above the mean of the plateau.
Surroundings measureSurroundings(uint layer, ivec2 center, int peak) {
  const uint none = 0xffffffffu;
  Surroundings s = Surroundings(peak, 0.0, 8, false);
  uint best = none;  // 16 times the mean of the darkest ring so far << 5 | number of the ring
  ivec4 darkest = ivec4(0);
  for (int first = 0; first < 24; first += first == 0 ? 8 : 4) {
    const int last = first == 0 ? 8 : first + 4;
    for (int block = max(first, kFirstRing); block < last; block += int(kLanes / kQuarters)) {
      const int own = block + int(gl_SubgroupInvocationID / kQuarters);
      const uint quarter = gl_SubgroupInvocationID % kQuarters;
      const Ring ring = measureRing(layer, center, ringRadius(min(own, last - 1)), quarter);
      const bool tells = own < last && ring.count >= 4;
      const uint key = tells ? uint(ring.sum * 16 / ring.count) << 5 | uint(own) : none;
      const uint least = leastAcross(key);
      const bool mine = key == least && key != none && quarter == 0;
      const ivec4 values =
          sumAcross(mine ? ivec4(ring.count, ring.sum, ring.pairs, ring.jump) : ivec4(0));
      if (least >= best) continue;
      best = least;
      darkest = values;
    }
    s.range = ringRadius(last - 1);
    const int contrast = darkest.x * peak - darkest.y;
    s.clear = contrast > 0 && contrast * darkest.z >= 3 * darkest.w * darkest.x;
    if (s.clear && contrast * darkest.z >= 7 * darkest.w * darkest.x) break;
  }
  if (best == none) return s;
  s.darkest = darkest.y / darkest.x;
  // The mean absolute difference of two pixels with normal noise is 1.128 standard deviations.
  if (darkest.z > 0) s.noise = float(darkest.w) / (1.128 * float(darkest.z));
  return s;
}

// px; a ray that leaves the image farther away than this without having ended counts as endless.
const int kTellsLine = 24;

// One ray from the start to the edge of the object.
struct Ray {
  int half_;    // 1/16 px, distance at which the value falls below half of the peak's height
  int quarter;  // 1/16 px, distance at which a quarter of the height is lost
  bool cut;     // true if the ray did not reach half of the height, within the image and the range
  bool endless;  // true if it is `cut`, and did not leave the image within kTellsLine
  int far;       // px, distance of the last pixel that was read
};

// Returns the distance in 1/16 px at which the value falls through `level` between step_ - 1 and step_. `before` and
// `now` are the values at both, all in quarters of a count. Returns 0 for step 0.
int crossing(int step_, int before, int now, int level) {
  return step_ == 0 ? 0 : 16 * (step_ - 1) + 16 * (before - level) / (before - now);
}

// Follows a ray outwards until two consecutive pixels are below half of the height, or the ray is cut.
Ray march(uint layer, ivec2 from, ivec2 unit, int peak, Surroundings around) {
  const int level50 = 2 * (peak + around.darkest);
  const int level75 = 3 * peak + around.darkest;
  bool cut = true, near = false;
  ivec3 half_ = ivec3(0, 1, 0);  // the last fall below the level: the step, and the values before and after it
  ivec3 quarter = ivec3(0, 1, 0);
  int before = 4 * pixelAt(layer, from);
  int last = 0;
  for (int k = 1; k <= 2 * around.range; ++k) {
    const ivec2 at = along(from, unit, k);
    near = !inside(at) && k <= kTellsLine;
    if (!inside(at)) break;
    last = k;
    const int now = 4 * pixelAt(layer, at);
    cut = now >= level50;
    if (before < level50 && now < level50) break;
    if (before >= level50 && now < level50) half_ = ivec3(k, before, now);
    if (before >= level75 && now < level75) quarter = ivec3(k, before, now);
    before = now;
  }
  return Ray(crossing(half_.x, half_.y, half_.z, level50),
             crossing(quarter.x, quarter.y, quarter.z, level75), cut, cut && !near, last);
}

// The result of the first look.
struct Extent {
  ivec2 center;          // px, the pixel nearest to the middle of the object
  vec2 middle;           // px from the centre, the middle of the rays' ends
  float half_, quarter;  // px, mean distance at which half and a quarter of the height are lost
  float elongation;      // see elongationOf()
  vec2 ellipse;          // the elongation as Model::ellipse, if kLong and all rays have an end; otherwise 0
};

// The elongation of a line, a ridge or an edge, along which the value does not fall in either direction.
const float kEndless = 1000.0;

// Moments of the ends of the rays, relative to the centre. An endless ray counts as far as it was followed.
struct Ends {
  vec3 first;   // number of rays, and sums of x and y, px
  vec3 second;  // sums of x x, x y, y y, px^2
  uint endless, open;  // a bit for each direction: rays that are endless, and rays that are cut
};

// Returns true if two opposite rays are endless. If one of them is cut because it left the image, the other decides.
bool isEndless(Ends e) {
  const uint both = e.open & e.open >> 8 & 0xffu;
  return (both & (e.endless | e.endless >> 8)) != 0;
}

// Returns the second moments xx, xy and yy of the ends about their mean, times their number.
vec3 spreadOf(Ends e) {
  const vec2 mean = e.first.yz / e.first.x;
  return e.second - e.first.x * vec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y);
}

// Returns the ratio of the larger to the smaller principal second moment of the ends. For an ellipse this is length /
// width, since its ends are denser at its sides. The result is at most kEndless, and 0 if fewer than 5 rays have an
// end.
float elongationOf(Ends e) {
  if (e.first.x < 5.0) return 0.0;
  const vec3 m = spreadOf(e);
  const float middle = 0.5 * (m.x + m.z);
  const float apart = length(vec2(0.5 * (m.x - m.z), m.y));
  return min((middle + apart) / max(middle - apart, 1e-3 * middle + 1e-9), kEndless);
}

// Returns the shape of the ends as Model::ellipse.
vec2 ellipseOf(Ends e, float elongation) {
  const vec3 m = spreadOf(e);
  const vec2 apart = vec2(m.x - m.z, 2.0 * m.y);
  const float square = elongation * elongation;
  return (1.0 - square) / (1.0 + square) * apart / max(length(apart), 1e-9);
}

// Returns x, y and radius of the circle that fits points best by least squares (Kasa 1976). The radius is 0 if the
// points lie on a line. The points are given by their number and sums: `s` over x, y and z = x^2 + y^2, `square` over
// x x, x y and y y, and `sz` over x z and y z.
vec3 circleThrough(float n, vec3 s, vec3 square, vec2 sz) {
  const vec2 mean = s.xy / n;
  const vec3 m = square - vec3(s.x * mean.x, s.x * mean.y, s.y * mean.y);
  const vec2 p = 0.5 * (sz - s.z * mean);
  const float det = m.x * m.z - m.y * m.y;
  if (!(det > 1e-3 * (m.x + m.z) * (m.x + m.z))) return vec3(0);
  const vec2 c = vec2(m.z * p.x - m.y * p.y, m.x * p.y - m.y * p.x) / det;
  return vec3(c, sqrt(max(s.z / n - 2.0 * dot(c, mean) + dot(c, c), 0.0)));
}

// Finds the edge of an object with rays in 16 directions, moves the start to the middle of the edge, and repeats this
// up to twice. If the layer is crowded, it does not repeat this for a line, since lines are hardly ever fitted.
Extent measureExtent(uint layer, ivec2 start, int peak, bool crowded, Surroundings around) {
  const ivec2 most = ivec2(params.plane.width, params.plane.height) - 1;
  Extent e = Extent(start, vec2(0), 1.0, 0.6, 0.0, vec2(0));
  // `seen` are the ends of this round, and `shape` those of the last round whose start was above half of the height.
  Ends shape = Ends(vec3(0), vec3(0), 0u, 0u), seen;
  bool line = false;  // decided in the first round, since the first start is the peak itself
  for (int round_ = 0; round_ < 3; ++round_) {
    ivec4 sums = ivec4(0);  // sums of the ends' x and y, 1/4096 px, and of Ray::half_ and Ray::quarter, 1/16 px
    vec4 ends = vec4(0);    // number of ends, and sums of x, y and x^2 + y^2
    vec4 squares = vec4(0);
    float cubic = 0.0;
    seen = Ends(vec3(0), vec3(0), 0u, 0u);
    for (int d = int(gl_SubgroupInvocationID); d < kDirections; d += int(kLanes)) {
      const ivec2 unit = unitOf(d);
      const Ray ray = march(layer, e.center, unit, peak, around);
      const int length16 = ray.endless ? 16 * ray.far : ray.half_;
      if (ray.endless || !ray.cut) {
        const vec2 at = vec2(length16 * unit) / 4096.0;
        seen.first += vec3(1.0, at);
        seen.second += vec3(at.x * at.x, at.x * at.y, at.y * at.y);
      }
      seen.endless |= uint(ray.endless) << d;
      seen.open |= uint(ray.cut) << d;
      if (ray.cut) continue;
      const ivec2 end = ray.half_ * unit;
      sums += ivec4(end, ray.half_, ray.quarter);
      const vec2 at = vec2(end) / 4096.0;
      const float z = dot(at, at);
      ends += vec4(1.0, at, z);
      squares += vec4(at.x * at.x, at.x * at.y, at.y * at.y, z * at.x);
      cubic += z * at.y;
    }
    sums = sumAcross(sums);
    ends = sumAcross(ends);
    if (round_ == 0) {
      seen.endless = orAcross(seen.endless);
      seen.open = orAcross(seen.open);
      line = isEndless(seen);
    }
    if (2 * pixelAt(layer, e.center) >= peak + around.darkest) shape = seen;
    if (ends.x == 0.0) break;
    e.half_ = float(sums.z) / (16.0 * ends.x);
    e.quarter = float(sums.w) / (16.0 * ends.x);
    ivec2 move = ivec2(0);
    e.middle = vec2(0);
    if (ends.x == float(kDirections)) {
      move = (sums.xy + 16384) >> 15;  // twice the mean end: over all directions u, the mean of u u^T is 1/2
      e.middle = vec2(sums.xy) / 32768.0;
    } else if (ends.x >= 5.0) {
      squares = sumAcross(squares);
      const vec3 circle =
          circleThrough(ends.x, ends.yzw, squares.xyz, vec2(squares.w, sumAcross(cubic)));
      if (circle.z == 0.0 || circle.z > float(2 * around.range)) break;
      e.quarter += circle.z - e.half_;
      e.half_ = circle.z;
      move = ivec2(floor(circle.xy + 0.5));
      e.middle = circle.xy;
    }
    const ivec2 next = clamp(e.center + move, ivec2(0), most);
    e.middle = clamp(e.middle - vec2(next - e.center), vec2(-0.5), vec2(0.5));
    e.center = next;
    if (all(lessThanEqual(abs(move), ivec2(1))) || (crowded && line)) break;
  }
  shape.first = sumAcross(shape.first);
  shape.second = sumAcross(shape.second);
  e.elongation = line ? kEndless : elongationOf(shape);
  const bool whole = shape.first.x == float(kDirections) && e.elongation < kEndless;
  if (kLong && whole) e.ellipse = ellipseOf(shape, e.elongation);
  return e;
}

shared Surroundings sharedSurroundings;
shared Extent sharedExtent;

// Takes the first look at a marker: measures its surroundings and its extent. If the layer is crowded, peaks that do
// not stand out of the noise get an extent of 0. With several subgroups, the first one measures these, while others sum
// up the rings for the slope of the background. All invocations of the workgroup must call this together.
void measureMarker(uint layer, ivec2 start, int peak, bool crowded, out Surroundings around, out Extent extent) {
  if (kAlone || gl_SubgroupID == 0) {
    around = measureSurroundings(layer, start, peak);
    extent = Extent(start, vec2(0), 0.0, 0.0, 0.0, vec2(0));
    if (around.clear || !crowded) extent = measureExtent(layer, start, peak, crowded, around);
    if (kAlone) return;
    if (subgroupElect()) {
      sharedSurroundings = around;
      sharedExtent = extent;
    }
  } else {
    for (uint ring = gl_SubgroupID - 1; ring < 2; ring += kSubgroups - 1) {
      const int radius = ring == 0 ? kPlane : kBeyond;
      const ivec2 right = start + ivec2(radius, 0);
      const PlaneSums sums = sumRing(layer, start, radius, pixelAt(layer, inside(right) ? right : start));
      if (subgroupElect()) planeSums[ring] = sums;
    }
  }
  barrier();
  around = sharedSurroundings;
  extent = sharedExtent;
}
