//! help GPUImage's ColourFAST: compares a ring of eight pixels with the pixel in its centre.
//! kind float
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 3; whole; range 0 to 16; unit px; help Radius of the box blur from which the ring is read; 0: no blur.
//! param form: default difference; choices difference angle; help
//!   difference: the ring's mean minus the centre, by channel, with mid-grey as 0; angle: the direction towards the ring's brighter side.
//! pass rows -> sums words
//! pass columns -> soft
//! pass all
//! check the formula in double
#ifdef PASS_rows
uint value(ivec2 p, int c) {
  uint sum = 0u;
  for (int i = -P.radius; i <= P.radius; ++i) sum += at(p + ivec2(i, 0), c);
  return sum;
}
#elif defined(PASS_columns)
uint value(ivec2 p, int c) {
  uint sum = 0u;
  for (int i = -P.radius; i <= P.radius; ++i) sum += sums(p + ivec2(0, i), c);
  const uint pixels = uint((2 * P.radius + 1) * (2 * P.radius + 1));
  return (sum + pixels / 2u) / pixels;
}
#else
const ivec2 kRing[8] = {{3, 1}, {1, 3}, {-1, 3}, {-3, 1}, {-3, -1}, {-1, -3}, {1, -3}, {3, -1}};

uint value(ivec2 p, int c) {
  vec2 towards = vec2(0.0);
  int own = 0;
  for (int k = 0; k < int(kChannels); ++k) {
    int sum = 0;
    ivec2 direction = ivec2(0);
    for (int i = 0; i < 8; ++i) {
      const int v = int(soft(p + kRing[i], k));
      sum += v;
      direction += v * kRing[i];
    }
    const int differs = sum - 8 * int(at(p, k));
    towards += float(abs(differs)) * vec2(direction);
    if (k == c) own = differs;
  }
  const float full = float(kFull);
  if (P.form == 0) return uint(clamp(floor((float(own) / 8.0 + full) / 2.0 + 0.5), 0.0, full));
  const float turn = towards == vec2(0.0) ? 0.0 : atan(towards.y, towards.x);
  return uint(clamp(floor((turn + 3.14159265358979) / 6.28318530717959 * full + 0.5), 0.0, full));
}
#endif
