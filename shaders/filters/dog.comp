//! help Answers to spots of a radius: the difference of two Gaussians, 0 where the wide one is greater.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 3; range 0.5 to 16; slider 1 to 12; unit px; help Radius of a marker.
//! param gain: default 2; whole; range 1 to 64; slider 1 to 16; help Times what the difference is taken.
//! value narrow_reach: whole ceil(1.5 * radius)
//! value wide_reach: whole ceil(3 * radius)
//! value narrow_total: 1 + 2 * sum(k, 1, narrow_reach, exp(-2 * k * k / (radius * radius)))
//! value wide_total: 1 + 2 * sum(k, 1, wide_reach, exp(-k * k / (2 * radius * radius)))
//! value narrow_outer: 2 * sum(k, 1, narrow_reach, rnd(65536 * exp(-2 * k * k / (radius * radius)) / narrow_total))
//! value wide_outer: 2 * sum(k, 1, wide_reach, rnd(65536 * exp(-k * k / (2 * radius * radius)) / wide_total))
//! table narrow(i): whole wide_reach + 1: i > narrow_reach ? 0 : i == 0 ? 65536 - narrow_outer :
//!   rnd(65536 * exp(-2 * i * i / (radius * radius)) / narrow_total)
//! table wide(i): whole wide_reach + 1: i == 0 ? 65536 - wide_outer : rnd(65536 * exp(-i * i / (2 * radius * radius)) / wide_total)
//! pass columns -> middle words
//! pass rows
//! check the response dog, which is bit for bit the same
uint value(ivec2 p, int c) {
  uint low = 0u, high = 0u;
#ifdef PASS_columns
  for (int i = -P.wide_reach; i <= P.wide_reach; ++i) {
    const uint v = at(p + ivec2(0, i), c);
    low += uint(narrow(abs(i))) * v;
    high += uint(wide(abs(i))) * v;
  }
  const uint rounding = 1u << (kBits - 1u);
  return (low + rounding) >> kBits | (high + rounding) >> kBits << 16;
#else
  for (int i = -P.wide_reach; i <= P.wide_reach; ++i) {
    const uint both = middle(p + ivec2(i, 0), c);
    low += uint(narrow(abs(i))) * (both & 0xffffu);
    high += uint(wide(abs(i))) * (both >> 16);
  }
  const uint fraction = 32u - kBits;
  const uint gain = uint(P.gain);
  const uint v = min(low - min(low, high), (kFull << fraction) / gain) * gain;
  return (v + (1u << (fraction - 1u))) >> fraction;
#endif
}
