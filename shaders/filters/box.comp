//! help Takes the mean of a square around every pixel, rounded once.
//! feeds response
//! planes grey colour
//! border mirror
//! param radius: default 1; whole; range 0 to 63; slider 0 to 24; neutral 0; unit px; help The square's side is twice that and one.
//! pass columns -> sums words
//! pass rows
//! check cv::blur
uint value(ivec2 p, int c) {
  uint sum = 0u;
#ifdef PASS_columns
  for (int i = -P.radius; i <= P.radius; ++i) sum += at(p + ivec2(0, i), c);
  return sum;
#else
  for (int i = -P.radius; i <= P.radius; ++i) sum += sums(p + ivec2(i, 0), c);
  const uint pixels = uint((2 * P.radius + 1) * (2 * P.radius + 1));
  return (sum + pixels / 2u) / pixels;
#endif
}
