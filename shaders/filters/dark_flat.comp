//! help Corrects fixed patterns and vignetting with a dark frame and a flat frame.
//!   Both must be files, because the filter needs their means.
//! feeds measure
//! planes grey colour
//! border none
//! input dark_frame: The camera's picture without light.
//! input flat_frame: The camera's picture of an evenly lit surface.
//! value level: whole rnd(4096 * max(flat_frame_mean - dark_frame_mean, 0))
//! check the formula in double
uint value(ivec2 p, int c) {
  const uint v = at(p, c), dark = dark_frame(p, c), bright = flat_frame(p, c);
  const uint above = v - min(v, dark);
  if (bright <= dark) return above;
  const uint range = bright - dark;
  const uint gain = (uint(P.level) + range / 2u) / range;  // 12 bits of fraction
  uint high, low, carry;
  umulExtended(above, gain, high, low);
  low = uaddCarry(low, 2048u, carry);
  high += carry;
  return high >= 1u << 12 ? kFull : min(high << 20 | low >> 12, kFull);
}
