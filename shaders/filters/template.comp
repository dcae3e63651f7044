//! help Seeks a picture: how much the surroundings of a pixel look like it, turned and scaled.
//! kind float
//! feeds response
//! planes grey
//! border none
//! pattern look: what is sought, 64x64 px at most: an image, or a frame of a recording, as in file:clip.mkv#12
//! param part: default 0 0 0 0; whole; range 0 to 65535; unit px; help What is taken of it: left, top, width, height; all if the width is 0.
//! param method: default ccoeff; choices ccoeff sqdiff; help ccoeff: correlation without the means, 0 where it is below; sqdiff: 1 less
//!   the sum of squared differences; both are normalised, and 1, a perfect match, is full scale.
//! param angle_from: default 0; range -360 to 360; unit degrees; help The first angle by which it is turned, from x towards y.
//! param angle_to: default 0; range -360 to 360; unit degrees; help The last one.
//! param angle_step: default 15; range 0.1 to 360; unit degrees; help From one to the next.
//! param scale_from: default 1; range 0.1 to 8; help The least scale.
//! param scale_to: default 1; range 0.1 to 8; help The greatest one.
//! param scale_step: default 0.1; range 0.001 to 8; help From one to the next.
//! param form: default score; choices score angle scale; help score: how well the best angle and scale fit; angle, scale: which these are,
//!   of their ranges.
//! check cv::matchTemplate (TM_CCOEFF_NORMED, TM_SQDIFF_NORMED), with masks where it is turned
// 64 bits: low word, high word.
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
  uint n, i, t;          // pixels, sums of the image's and of the template's values
  uvec2 ii, tt, both;    // of their squares and products
};

// 1: the same but for brightness and contrast.
float correlation(Sums s) {
  const uvec2 a = times64(s.both, s.n), b = times64(uvec2(s.i, 0u), s.t);
  const uvec2 spreadI = minus64(times64(s.ii, s.n), times64(uvec2(s.i, 0u), s.i));
  const uvec2 spreadT = minus64(times64(s.tt, s.n), times64(uvec2(s.t, 0u), s.t));
  if (below64(a, b) || spreadI == uvec2(0u) || spreadT == uvec2(0u)) return 0.0;
  return min(float64(minus64(a, b)) / (sqrt(float64(spreadI)) * sqrt(float64(spreadT))), 1.0);
}

// 1: the same.
float likeness(Sums s) {
  if (s.ii == uvec2(0u) || s.tt == uvec2(0u)) return 0.0;
  const uvec2 differ = minus64(add64(s.ii, s.tt), add64(s.both, s.both));
  return 1.0 - min(float64(differ) / (sqrt(float64(s.ii)) * sqrt(float64(s.tt))), 1.0);
}

uint value(ivec2 p, int c) {
  float best = 0.0, shown = 0.0;
  const int count = int(look(0));
  for (int k = 0; k < count; ++k) {
    const int v = 1 + 9 * k;
    const ivec2 box = ivec2(look(v), look(v + 1)), corner = p - box / 2;
    if (any(lessThan(corner, ivec2(0))) || any(greaterThan(corner + box, size()))) continue;
    Sums s = Sums(look(v + 2), 0u, look(v + 3), uvec2(0u), uvec2(look(v + 4), look(v + 5)), uvec2(0u));
    const int begin = int(look(v + 6));
    for (int e = 0; e < int(s.n); ++e) {
      const uint pixel = look(begin + e);
      const uint i = at(corner + ivec2(pixel >> 16 & 255u, pixel >> 24), c), t = pixel & 0xffffu;
      s.i += i;
      if (kBits == 8u) {
        s.ii.x += i * i;
        s.both.x += i * t;
      } else {
        s.ii = add64(s.ii, uvec2(i * i, 0u));
        s.both = add64(s.both, uvec2(i * t, 0u));
      }
    }
    const float score = P.method == 0 ? correlation(s) : likeness(s);
    if (score > best) {
      best = score;
      shown = uintBitsToFloat(look(v + (P.form == 1 ? 7 : 8)));
    }
  }
  return uint(clamp(floor((P.form == 0 ? best : shown) * float(kFull) + 0.5), 0.0, float(kFull)));
}
