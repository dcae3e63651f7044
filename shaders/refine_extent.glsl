// Where a marker lies and how far it reaches, from a first look: what the fit starts from. All of
// it is integer arithmetic, apart from markers cut by the image border. Include after declaring
// `lookAt` and `inside`. A subgroup works for itself.

const int kDirections = 16;

// cos in 1/256 of a direction, a multiple of 22.5 degrees: 256, 237, 181, 98, 0, -98 ... No table,
// since llvmpipe fills a table anew at each use.
int cosOf(int direction) {
  int i = direction & 15;
  i = i > 8 ? 16 - i : i;
  const int folded = i > 4 ? 8 - i : i;
  const int size = folded == 0 ? 256 : 0x62b5ed >> (8 * (folded - 1)) & 255;
  return i > 4 ? -size : i == 4 ? 0 : size;
}

ivec2 unitOf(int direction) {
  return ivec2(cosOf(direction), cosOf(direction + 12));
}

// The pixel at a distance (px) along a unit.
ivec2 along(ivec2 from, ivec2 unit, int distance) {
  return from + ((distance * unit + 128) >> 8);
}

struct Surroundings {
  int darkest;  // mean of the darkest ring of pixels around the start: the background, nearly
  float noise;  // standard deviation of its pixels
  int range;    // px, how far was looked
  bool clear;   // the peak stands out of the noise
};

struct Ring {
  int count, sum;   // pixels inside the image
  int pairs, jump;  // neighbours along the ring, and the sum of their differences
};

// Of four pixels of a ring, -1 where they lie outside of the image.
ivec4 ringPixels(uint layer, ivec2 center, int radius, int first) {
  const ivec2 a = along(center, unitOf(first), radius), b = along(center, unitOf(first + 1), radius);
  const ivec2 c = along(center, unitOf(first + 2), radius), d = along(center, unitOf(first + 3), radius);
  const bvec4 there = bvec4(inside(a), inside(b), inside(c), inside(d));
  const ivec4 values = ivec4(lookAt(layer, there.x ? a : center), lookAt(layer, there.y ? b : center),
                             lookAt(layer, there.z ? c : center), lookAt(layer, there.w ? d : center));
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

// A quarter of a ring by each of four invocations of a subgroup, side by side: `quarter` is their number.
// All of the subgroup must call it.
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

// Radii 1 to 8, then four an octave: 10, 12, 14, 16, 20 ... 128.
// Smaller rings than the first one used hold pixels twice, which hides their noise.
const int kFirstRing = 2;
int ringRadius(int i) {
  return i < 8 ? i + 1 : (5 + i % 4) << (i / 4 - 1);
}

const int kPlane = 8, kBeyond = 10;  // px, radii of rings: farther off the ground may bend
const float kAlikeSlopes = 0.25;  // of the slope, beside what both may err by, of the noise
const float kBothErrors = 0.15;
const float kSurelySloped = 4.0;  // deviations of a slope's own error
const float kMostlyPlane = 2.5;   // of the noise's variance: what a plane leaves of a ring's

// Sums over a ring, of what its pixels are above a value near theirs, which keeps them small.
struct PlaneSums {
  ivec4 moments;  // pixels inside the image; of values, and of those times the direction in 1/256
  float squares;
};

PlaneSums sumRing(uint layer, ivec2 center, int radius, int ground) {
  PlaneSums s = PlaneSums(ivec4(0), 0.0);
  for (int d = int(gl_SubgroupInvocationID); d < kDirections; d += int(kLanes)) {
    const ivec2 unit = unitOf(d), at = along(center, unit, radius);
    if (!inside(at)) continue;
    const int value = lookAt(layer, at) - ground;
    s.moments += ivec4(1, value, value * unit);
    s.squares += float(value) * float(value);
  }
  return PlaneSums(sumAcross(s.moments), sumAcross(s.squares));
}

// Of the plane through a ring, counts a px; 0 unless it is one, and `least` deviations of its own error steep.
vec2 planeOf(PlaneSums s, int radius, float noise, float least) {
  if (s.moments.x < kDirections) return vec2(0);
  // The mean of a direction's square is half.
  const vec2 tilt = vec2(s.moments.zw) / (256.0 * 0.5 * float(kDirections));
  const float plane = 0.5 * float(kDirections) * dot(tilt, tilt);
  const float sum = float(s.moments.y);
  const float left = s.squares - sum * sum / float(kDirections) - plane;
  const float variance = noise * noise + 1.0 / 12.0;
  const bool sure = plane > least * least * variance;
  const bool flat_ = left < kMostlyPlane * float(kDirections - 3) * variance;
  return sure && flat_ ? tilt / float(radius) : vec2(0);
}

// Of the rings of kPlane and kBeyond, where subgroups share the first look.
shared PlaneSums planeSums[2];

PlaneSums sumsOf(uint layer, ivec2 center, uint ring, int ground) {
  if (kAlone) return sumRing(layer, center, ring == 0 ? kPlane : kBeyond, ground);
  return planeSums[ring];
}

// The ground's slope: of a plane that holds for two rings. Others' light falls off.
vec2 slopeOf(uint layer, ivec2 center, int ground, float noise) {
  const vec2 slope = planeOf(sumsOf(layer, center, 0, ground), kPlane, noise, kSurelySloped);
  if (slope == vec2(0)) return slope;
  const vec2 beyond = planeOf(sumsOf(layer, center, 1, ground), kBeyond, noise, 0.0);
  const float most = kAlikeSlopes * length(slope) + kBothErrors * noise;
  return distance(slope, beyond) <= most ? slope : vec2(0);
}

// Looks octave by octave until something is darker than the peak by six deviations of the noise,
// since the brightest pixel of a large plateau is itself four or five above its mean.
Surroundings lookAround(uint layer, ivec2 center, int peak) {
  const uint none = 0xffffffffu;
  Surroundings s = Surroundings(peak, 0.0, 8, false);
  uint best = none;  // mean in 1/16, and the ring's number in the lowest 5 bits
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
  // Two pixels of normal noise differ by 1.128 standard deviations in the mean.
  if (darkest.z > 0) s.noise = float(darkest.w) / (1.128 * float(darkest.z));
  return s;
}

// px: a ray that leaves the image so far away is as good as one without an end.
const int kTellsLine = 24;

struct Ray {
  int half_;    // 1/16 px, where the value falls below half of the peak's height
  int quarter;  // 1/16 px, where a quarter is lost
  bool cut;     // it left the image before, or ended where nothing more was looked at
  bool endless;  // the latter, or it went far before
  int far;       // px, as far as it went
};

// Where the value falls through `level` between step - 1 and step; values are in quarters.
int crossing(int step_, int before, int now, int level) {
  return step_ == 0 ? 0 : 16 * (step_ - 1) + 16 * (before - level) / (before - now);
}

// From the start outwards until two pixels running are below half.
Ray march(uint layer, ivec2 from, ivec2 unit, int peak, Surroundings around) {
  const int level50 = 2 * (peak + around.darkest);
  const int level75 = 3 * peak + around.darkest;
  bool cut = true, near = false;
  ivec3 half_ = ivec3(0, 1, 0);  // the last fall below: the step, and the values before and after
  ivec3 quarter = ivec3(0, 1, 0);
  int before = 4 * lookAt(layer, from);
  int last = 0;
  for (int k = 1; k <= 2 * around.range; ++k) {
    const ivec2 at = along(from, unit, k);
    near = !inside(at) && k <= kTellsLine;
    if (!inside(at)) break;
    last = k;
    const int now = 4 * lookAt(layer, at);
    cut = now >= level50;
    if (before < level50 && now < level50) break;
    if (before >= level50 && now < level50) half_ = ivec3(k, before, now);
    if (before >= level75 && now < level75) quarter = ivec3(k, before, now);
    before = now;
  }
  return Ray(crossing(half_.x, half_.y, half_.z, level50),
             crossing(quarter.x, quarter.y, quarter.z, level75), cut, cut && !near, last);
}

struct Extent {
  ivec2 center;          // px
  vec2 middle;           // px from the centre, where the ends' middle lies
  float half_, quarter;  // px, distance at which half and a quarter of the height are lost
  float elongation;      // see elongationOf
  vec2 ellipse;          // where kLong and all rays end: the same, as of Model
};

// A line, a ridge or an edge: along it nothing falls, to either side.
const float kEndless = 1000.0;

// The ends of the rays, of those that do not end as far as was looked.
struct Ends {
  vec3 first;   // number, and sums of x and y, px
  vec3 second;  // sums of x x, x y, y y, px^2
  uint endless, open;  // a bit for each direction: rays without an end; the same or out of the image
};

// Whether opposite rays have no end. An axis whose one end lies outside of the image counts as the
// other end says.
bool isEndless(Ends e) {
  const uint both = e.open & e.open >> 8 & 0xffu;
  return (both & (e.endless | e.endless >> 8)) != 0;
}

// Second moments about the ends' mean: xx, xy, yy.
vec3 spreadOf(Ends e) {
  const vec2 mean = e.first.yz / e.first.x;
  return e.second - e.first.x * vec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y);
}

// Of the ends' second moments about their mean the ratio of the larger to the smaller axis: 1 of
// anything round, 2 of an ellipse twice as long as wide. 0 where fewer than 5 rays tell.
float elongationOf(Ends e) {
  if (e.first.x < 5.0) return 0.0;
  const vec3 m = spreadOf(e);
  const float middle = 0.5 * (m.x + m.z);
  const float apart = length(vec2(0.5 * (m.x - m.z), m.y));
  return min((middle + apart) / max(middle - apart, 1e-3 * middle + 1e-9), kEndless);
}

vec2 ellipseOf(Ends e, float elongation) {
  const vec3 m = spreadOf(e);
  const vec2 apart = vec2(m.x - m.z, 2.0 * m.y);
  const float square = elongation * elongation;
  return (1.0 - square) / (1.0 + square) * apart / max(length(apart), 1e-9);
}

// Circle through points by least squares (Kasa 1976), from their number and moments up to the
// third, z = x^2 + y^2: x, y and radius; radius 0 where they lie on a line.
vec3 circleThrough(float n, vec3 s, vec3 square, vec2 sz) {
  const vec2 mean = s.xy / n;
  const vec3 m = square - vec3(s.x * mean.x, s.x * mean.y, s.y * mean.y);
  const vec2 p = 0.5 * (sz - s.z * mean);
  const float det = m.x * m.z - m.y * m.y;
  if (!(det > 1e-3 * (m.x + m.z) * (m.x + m.z))) return vec3(0);
  const vec2 c = vec2(m.z * p.x - m.y * p.y, m.x * p.y - m.y * p.x) / det;
  return vec3(c, sqrt(max(s.z / n - 2.0 * dot(c, mean) + dot(c, c), 0.0)));
}

// Rays in 16 directions find the edge; the start moves to the middle, and again, but in a crowd not on a line, which
// is hardly ever fitted.
Extent measureExtent(uint layer, ivec2 start, int peak, bool crowded, Surroundings around) {
  const ivec2 most = ivec2(params.plane.width, params.plane.height) - 1;
  Extent e = Extent(start, vec2(0), 1.0, 0.6, 0.0, vec2(0));
  Ends shape = Ends(vec3(0), vec3(0), 0u, 0u), seen;  // of the last round from within the object, and of this one
  bool line = false;  // seen from the start, which is above half in any case
  for (int round_ = 0; round_ < 3; ++round_) {
    ivec4 sums = ivec4(0);  // where the rays end, 1/4096 px; sum of half_ and of quarter
    vec4 ends = vec4(0);    // number, and moments of the ends
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
    if (2 * lookAt(layer, e.center) >= peak + around.darkest) shape = seen;
    if (ends.x == 0.0) break;
    e.half_ = float(sums.z) / (16.0 * ends.x);
    e.quarter = float(sums.w) / (16.0 * ends.x);
    ivec2 move = ivec2(0);
    e.middle = vec2(0);
    if (ends.x == float(kDirections)) {
      move = (sums.xy + 16384) >> 15;  // the mean of u u^T over all directions u is 1/2
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

// The first look at a marker, in a crowd only of what stands out of the noise: other extents are 0. Of several
// subgroups one takes it, and others the rings that tell the ground's slope.
void lookTogether(uint layer, ivec2 start, int peak, bool crowded, out Surroundings around, out Extent extent) {
  if (kAlone || gl_SubgroupID == 0) {
    around = lookAround(layer, start, peak);
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
      const PlaneSums sums = sumRing(layer, start, radius, lookAt(layer, inside(right) ? right : start));
      if (subgroupElect()) planeSums[ring] = sums;
    }
  }
  barrier();
  around = sharedSurroundings;
  extent = sharedExtent;
}
