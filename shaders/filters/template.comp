//! help Finds a picture: how well a pixel's surroundings match it, turned and scaled.
//! kind float
//! feeds response
//! planes grey
//! border none
//! pattern look:
//!   The picture, 64x64 px at most: an image, or a frame of a recording, as in file:clip.mkv#12.
//! param part: default 0 0 0 0; whole; range 0 to 65535; unit px; help The part of the picture to use: left, top, width, height; width 0: all of it.
//! param method: default ccoeff; choices ccoeff sqdiff; help
//!   ccoeff: correlation without the means, at least 0; sqdiff: 1 minus the sum of squared differences. Both are normalised; a perfect match, 1, is
//!   full scale.
//! param angle_from: default 0; range -360 to 360; unit degrees; help The first angle to try, from x towards y.
//! param angle_to: default 0; range -360 to 360; unit degrees; help The last angle to try.
//! param angle_step: default 15; range 0.1 to 360; unit degrees; help From one angle to the next.
//! param scale_from: default 1; range 0.1 to 8; help The smallest scale to try.
//! param scale_to: default 1; range 0.1 to 8; help The largest scale to try.
//! param scale_step: default 0.1; range 0.001 to 8; help From one scale to the next.
//! param form: default score; choices score angle scale; help
//!   score: how well the best angle and scale match; angle, scale: the best angle or scale, as a share of its range.
//! param update: default 0; range 0 to 1; slider 0 to 0.5; help
//!   How far the picture moves towards its best match after each frame, if that match is at least half; 0: it stays as it is. Only with form=score.
//! pass seek -> best words when !tiles
//! pass near -> best words tile 64x16
//! pass show
//! check cv::matchTemplate (TM_CCOEFF_NORMED, TM_SQDIFF_NORMED), with masks where it is turned
#if defined(PASS_seek) || defined(PASS_near)
// Arithmetic with 64-bit numbers, stored as low word and high word.
uvec2 add64(uvec2 a, uvec2 b) {
  uint carry;
  const uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}
uvec2 minus64(uvec2 a, uvec2 b) {
  uint borrow;
  const uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}
uvec2 times64(uvec2 a, uint b) {
  uint high, low;
  umulExtended(a.x, b, high, low);
  return uvec2(low, high + a.y * b);
}
float float64(uvec2 a) { return float(a.y) * 4294967296.0 + float(a.x); }
bool below64(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

struct Sums {
  uint n, i, t;          // number of pixels, sums of the image's and of the template's values
  uvec2 ii, tt, both;    // sums of the squares of both, and of their products
};

// Returns the correlation, which is 1 if both are equal except for brightness and contrast.
float correlation(Sums s) {
  const uvec2 a = times64(s.both, s.n), b = times64(uvec2(s.i, 0u), s.t);
  const uvec2 spreadI = minus64(times64(s.ii, s.n), times64(uvec2(s.i, 0u), s.i));
  const uvec2 spreadT = minus64(times64(s.tt, s.n), times64(uvec2(s.t, 0u), s.t));
  if (below64(a, b) || spreadI == uvec2(0u) || spreadT == uvec2(0u)) return 0.0;
  return min(float64(minus64(a, b)) / (sqrt(float64(spreadI)) * sqrt(float64(spreadT))), 1.0);
}

// Returns 1 minus the normalised sum of squared differences, which is 1 if both are equal.
float likeness(Sums s) {
  if (s.ii == uvec2(0u) || s.tt == uvec2(0u)) return 0.0;
  const uvec2 differ = minus64(add64(s.ii, s.tt), add64(s.both, s.both));
  return 1.0 - min(float64(differ) / (sqrt(float64(s.ii)) * sqrt(float64(s.tt))), 1.0);
}

// Returns the sums over the pixels of a variant of the template, which begins at word v. `corner` is the upper left
// pixel of the window in the image.
Sums sumsAt(int v, ivec2 corner) {
  Sums s = Sums(look(v + 2), 0u, look(v + 3), uvec2(0u), uvec2(look(v + 4), look(v + 5)), uvec2(0u));
  const int begin = int(look(v + 6));
  for (int e = 0; e < int(s.n); ++e) {
    const uint pixel = look(begin + e);
    const uint i = at(corner + ivec2(pixel >> 16 & 255u, pixel >> 24), 0), t = pixel & 0xffffu;
    s.i += i;
    if (kBits == 8u) {
      s.ii.x += i * i;
      s.both.x += i * t;
    } else {
      s.ii = add64(s.ii, uvec2(i * i, 0u));
      s.both = add64(s.both, uvec2(i * t, 0u));
    }
  }
  return s;
}

bool fits(ivec2 corner, ivec2 box) { return all(greaterThanEqual(corner, ivec2(0))) && all(lessThanEqual(corner + box, size())); }

uint found_(float score, uint which) { return uint(clamp(floor(score * float(kFull) + 0.5), 0.0, float(kFull))) << 16 | which; }
#endif

#if defined(PASS_seek)
// Returns the best score in counts in the upper half of a word, and the number of its variant in the lower half.
// Numbers count from 1, and 0 means that no variant matches.
uint value(ivec2 p, int c) {
  float best = 0.0;
  uint which = 0u;
  const int count = int(look(0));
  for (int k = 0; k < count; ++k) {
    const int v = 1 + 9 * k;
    const ivec2 box = ivec2(look(v), look(v + 1)), corner = p - box / 2;
    if (!fits(corner, box)) continue;
    const Sums s = sumsAt(v, corner);
    const float score = P.method == 0 ? correlation(s) : likeness(s);
    if (score > best) {
      best = score;
      which = uint(k) + 1u;
    }
  }
  return found_(best, which);
}
#elif defined(PASS_near)
// Matches variants that are upright rectangles of up to 32 px in shared memory, four windows of a row at a time. Other
// variants are matched as in the pass `seek`. Floats are exact below 2^24, which 257 products of 8 bits do not reach.
const int kRow = 24, kTaps = 8;   // vectors of four values in a row
shared vec4 tile_[47 * kRow];     // the image from the first window's corner on
shared vec4 taps_[32 * kTaps];    // the template

// Loads a variant and the image around it to shared memory. All lanes must call this together.
void load(int v, ivec2 box, ivec2 corner) {
  barrier();
  for (int i = lane; i < (15 + box.y) * kRow; i += kLanes) {
    vec4 four;
    [[unroll]] for (int k = 0; k < 4; ++k)
      four[k] = float(at(clamp(corner + ivec2(i % kRow * 4 + k, i / kRow), ivec2(0), size() - 1), 0));
    tile_[i] = four;
  }
  const int begin = int(look(v + 6));
  for (int i = lane; i < box.y * kTaps; i += kLanes) {
    vec4 four;
    [[unroll]] for (int k = 0; k < 4; ++k) {
      const int x = i % kTaps * 4 + k;
      four[k] = x < box.x ? float(look(begin + i / kTaps * box.x + x) & 0xffffu) : 0.0;
    }
    taps_[i] = four;
  }
  barrier();
}

// Returns three values of a row of the tile from x on.
vec3 threeAt(int x, int row) {
  const vec4 a = tile_[row * kRow + x / 4], b = tile_[row * kRow + min(x / 4 + 1, kRow - 1)];
  const int s = x & 3;
  return s == 0 ? a.xyz : s == 1 ? a.yzw : s == 2 ? vec3(a.zw, b.x) : vec3(a.w, b.xy);
}

// Computes the sums of the windows that begin at x, x + 1, x + 2 and x + 3 in the tile. `x` is a multiple of four.
void sums(ivec2 box, int x, int y, out uvec4 i, out uvec4 ii, out uvec4 both) {
  both = uvec4(0u);
  vec4 product = vec4(0.0);
  float sum = 0.0, squares = 0.0;
  uint allSquares = 0u;
  vec3 head = vec3(0.0), tail = vec3(0.0), headSquares = vec3(0.0), tailSquares = vec3(0.0);
  for (int row = 0, left = 257 / box.x; row < box.y; ++row) {
    const int at_ = (y + row) * kRow + x / 4;
    vec4 a = tile_[at_];
    const vec3 begin = a.xyz, end = threeAt(x + box.x, y + row);
    head += begin;
    tail += end;
    headSquares += begin * begin;
    tailSquares += end * end;
    for (int k = 0; k < box.x; k += 4) {
      const vec4 t = taps_[row * kTaps + k / 4], b = tile_[at_ + k / 4 + 1];
      product += t.x * a;
      product += t.y * vec4(a.yzw, b.x);
      product += t.z * vec4(a.zw, b.xy);
      product += t.w * vec4(a.w, b.xyz);
      if (k + 4 > box.x) a = mix(vec4(0.0), a, lessThan(ivec4(k, k + 1, k + 2, k + 3), ivec4(box.x)));
      sum += a.x + a.y + a.z + a.w;
      squares += dot(a, a);
      a = b;
    }
    if (--left > 0 && row + 1 < box.y) continue;
    left = 257 / box.x;
    both += uvec4(product);
    allSquares += uint(squares);
    product = vec4(0.0);
    squares = 0.0;
  }
  uint n = uint(sum), m = allSquares;
  [[unroll]] for (int k = 0; k < 4; ++k) {
    i[k] = n;
    ii[k] = m;
    if (k == 3) break;
    n += uint(tail[k]) - uint(head[k]);
    m += uint(tailSquares[k]) - uint(headSquares[k]);
  }
}

void tile(int e, int y) {
  const ivec2 own = ivec2(lane % 16 * 4, lane / 16), p = ivec2(e, y) + own;
  vec4 best = vec4(0.0);
  uvec4 which = uvec4(0u);
  const int count = int(look(0));
  for (int k = 0; k < count; ++k) {
    const int v = 1 + 9 * k;
    const ivec2 box = ivec2(look(v), look(v + 1));
    const bool upright = all(lessThanEqual(box, ivec2(32))) && int(look(v + 2)) == box.x * box.y;
    uvec4 i, ii, both;
    if (upright) {
      load(v, box, ivec2(e, y) - box / 2);
      sums(box, own.x, own.y, i, ii, both);
    }
    [[unroll]] for (int m = 0; m < 4; ++m) {
      const ivec2 corner = p + ivec2(m, 0) - box / 2;
      if (!fits(corner, box)) continue;
      Sums s;
      if (upright)
        s = Sums(look(v + 2), i[m], look(v + 3), uvec2(ii[m], 0u), uvec2(look(v + 4), look(v + 5)), uvec2(both[m], 0u));
      else
        s = sumsAt(v, corner);
      const float score = P.method == 0 ? correlation(s) : likeness(s);
      if (score <= best[m]) continue;
      best[m] = score;
      which[m] = uint(k) + 1u;
    }
  }
  [[unroll]] for (int m = 0; m < 4; ++m)
    if (inImage(p + ivec2(m, 0))) best_[place(p + ivec2(m, 0), 0)] = found_(best[m], which[m]);
}
#else
uint value(ivec2 p, int c) {
  const uint found = best(p, c), which = found & 0xffffu;
  if (P.form == 0) return found >> 16;
  if (which == 0u) return 0u;
  const float shown = uintBitsToFloat(look(1 + 9 * (int(which) - 1) + (P.form == 1 ? 7 : 8)));
  return uint(clamp(floor(shown * float(kFull) + 0.5), 0.0, float(kFull)));
}
#endif
