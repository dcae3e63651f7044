//! help Answers to spots of a size: minus the Laplacian of a Gaussian, 0 where it is below.
//! feeds response
//! planes grey colour
//! border replicate
//! param sigma: default 2; range 0.1 to 20; slider 0.5 to 8; unit px; help Standard deviation of the Gaussian; a marker's radius divided by 1.4.
//! param gain: default 4; whole; range 1 to 64; slider 1 to 16; help Times what the Laplacian is taken.
//! value reach: whole ceil(3 * sigma)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * sigma * sigma)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * sigma * sigma)) / total))
//! table taps(i): whole reach + 1: i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * sigma * sigma)) / total)
//! pass columns -> middle words
//! pass rows -> blurred
//! pass laplace
//! check cv::Laplacian of the filter gaussian
uint value(ivec2 p, int c) {
#if defined(PASS_columns)
  uint sum = (1u << (kBits - 1u)) + uint(taps(0)) * at(p, c);
  for (int i = 1; i <= P.reach; ++i)
    sum += uint(taps(i)) * (at(p - ivec2(0, i), c) + at(p + ivec2(0, i), c));
  return sum >> kBits;
#elif defined(PASS_rows)
  uint sum = uint(taps(0)) * middle(p, c);
  for (int i = 1; i <= P.reach; ++i)
    sum += uint(taps(i)) * (middle(p - ivec2(i, 0), c) + middle(p + ivec2(i, 0), c));
  const uint fraction = 32u - kBits;
  return (sum + (1u << (fraction - 1u))) >> fraction;
#else
  const int corners = int(blurred(p + ivec2(-1, -1), c) + blurred(p + ivec2(1, -1), c) +
                          blurred(p + ivec2(-1, 1), c) + blurred(p + ivec2(1, 1), c));
  const int laplacian = 2 * corners - 8 * int(blurred(p, c));
  return uint(clamp((4 - P.gain * laplacian) >> 3, 0, int(kFull)));
#endif
}
