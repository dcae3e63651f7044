//! help How much a pixel stands out of the square around it, in standard deviations: grey where it does not.
//! kind float
//! feeds response
//! planes grey colour
//! border mirror
//! param radius: default 15; whole; range 1 to 31; unit px; help The square's side is twice that and one.
//! pass sums -> sum words
//! pass squares -> low words
//! pass high_squares -> high words
//! pass rows
//! check cv::boxFilter, cv::sqrBoxFilter
uint value(ivec2 p, int c) {
  uint total = 0u, above = 0u, carry = 0u;
#ifndef PASS_rows
  for (int i = -P.radius; i <= P.radius; ++i) {
    const uint v = at(p + ivec2(0, i), c);
#ifdef PASS_sums
    total += v;
#else
    total = uaddCarry(total, v * v, carry);
    above += carry;
#endif
  }
#ifdef PASS_high_squares
  return above;
#else
  return total;
#endif
#else
  uint squares = 0u;
  for (int i = -P.radius; i <= P.radius; ++i) {
    const ivec2 q = p + ivec2(i, 0);
    total += sum(q, c);
    squares = uaddCarry(squares, low(q, c), carry);
    above += high(q, c) + carry;
  }
  const float full = float(kFull), pixels = float((2 * P.radius + 1) * (2 * P.radius + 1));
  // n * squares - total^2, in 64 bits.
  uint h1, l1, h2, l2, borrow;
  umulExtended(squares, uint(pixels), h1, l1);
  h1 += above * uint(pixels);
  umulExtended(total, total, h2, l2);
  const uint l = usubBorrow(l1, l2, borrow);
  const float spread = float(h1 - h2 - borrow) * 4294967296.0 + float(l);
  const float deviation = sqrt(spread) / pixels;
  const float z = (float(at(p, c)) - float(total) / pixels) / max(deviation, 0.01 * full);
  return uint(clamp(floor(full * (0.5 + z / 8.0) + 0.5), 0.0, full));
#endif
}
