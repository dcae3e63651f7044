//! help Blurs with a Gaussian, rounded once.
//! feeds response
//! planes grey colour
//! border replicate
//! param sigma: default 2; range 0.1 to 20; slider 0.3 to 8; neutral 0.1; unit px; help Its standard deviation.
//! value reach: whole ceil(3 * sigma)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * sigma * sigma)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * sigma * sigma)) / total))
//! table taps(i): whole reach + 1: i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * sigma * sigma)) / total)
//! pass columns -> middle words
//! pass rows
//! check the response blur, which is bit for bit the same
uint value(ivec2 p, int c) {
#ifdef PASS_columns
  uint sum = (1u << (kBits - 1u)) + uint(taps(0)) * at(p, c);
  for (int i = 1; i <= P.reach; ++i)
    sum += uint(taps(i)) * (at(p - ivec2(0, i), c) + at(p + ivec2(0, i), c));
  return sum >> kBits;  // of 8-bit values with 8 bits of fraction
#else
  uint sum = uint(taps(0)) * middle(p, c);
  for (int i = 1; i <= P.reach; ++i)
    sum += uint(taps(i)) * (middle(p - ivec2(i, 0), c) + middle(p + ivec2(i, 0), c));
  const uint fraction = 32u - kBits;
  return (sum + (1u << (fraction - 1u))) >> fraction;
#endif
}
