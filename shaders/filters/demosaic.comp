//! help Turns a raw Bayer picture into colour by bilinear interpolation.
//! feeds measure
//! planes grey
//! gives colour
//! border mirror
//! param pattern: default rggb; choices rggb grbg gbrg bggr; help Colours of the two pixels at the upper left, then of the two below them.
//! check cv::cvtColor (COLOR_BayerBG2BGR is rggb)
// Returns the coordinate i moved inwards by one pixel at the border, because the outermost pixels copy their inner
// neighbours.
int inner(int i, int n) { return n < 3 ? i : clamp(i, 1, n - 2); }

uint cross_(ivec2 p) {
  return (at(p - ivec2(1, 0), 0) + at(p + ivec2(1, 0), 0) + at(p - ivec2(0, 1), 0) + at(p + ivec2(0, 1), 0) + 2u) >> 2;
}
uint diagonal(ivec2 p) {
  return (at(p + ivec2(-1, -1), 0) + at(p + ivec2(1, -1), 0) + at(p + ivec2(-1, 1), 0) + at(p + ivec2(1, 1), 0) + 2u) >> 2;
}
uint two(ivec2 p, ivec2 away) { return (at(p - away, 0) + at(p + away, 0) + 1u) >> 1; }

uint value(ivec2 p, int c) {
  const ivec2 q = ivec2(inner(p.x, size().x), inner(p.y, size().y));
  // `site` is (0, 0) at red pixels and (1, 1) at blue ones.
  const ivec2 site = (q + ivec2(P.pattern % 2, P.pattern / 2)) & 1;
  const bool green = site.x != site.y;
  if (c == 1) return green ? at(q, 0) : cross_(q);
  const int own = c == 2 ? 0 : 1;
  if (green) return two(q, site.y == own ? ivec2(1, 0) : ivec2(0, 1));
  return site.x == own ? at(q, 0) : diagonal(q);
}
