//! help White where a pixel is brighter than the mean of a square around it, less an offset.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 4; whole; range 1 to 63; slider 1 to 20; unit px; help The square's side is twice that and one.
//! param offset: default 0.05; range -1 to 1; slider -0.2 to 0.2; unit of full scale; help How much darker than the mean is still white.
//! value less: whole rnd(offset * full)
//! pass columns -> sums words
//! pass rows
//! check cv::adaptiveThreshold
uint value(ivec2 p, int c) {
  uint sum = 0u;
#ifdef PASS_columns
  for (int i = -P.radius; i <= P.radius; ++i) sum += at(p + ivec2(0, i), c);
  return sum;
#else
  for (int i = -P.radius; i <= P.radius; ++i) sum += sums(p + ivec2(i, 0), c);
  const uint pixels = uint((2 * P.radius + 1) * (2 * P.radius + 1));
  return int(at(p, c)) > int((sum + pixels / 2u) / pixels) - P.less ? kFull : 0u;
#endif
}
