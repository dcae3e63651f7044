//! help Replaces marked pixels with the median of the 3x3 pixels around them.
//! feeds measure
//! planes grey colour
//! border replicate
//! input marked: An image whose non-zero pixels mark the hot ones.
//! param bayer: default false; help For raw Bayer pictures: take neighbours of the same colour, two pixels away.
//! check cv::medianBlur
void order(inout uint x, inout uint y) {
  const uint least = min(x, y);
  y = max(x, y);
  x = least;
}

uint value(ivec2 p, int c) {
  const uint v = at(p, c);
  if (marked(p, c) == 0u) return v;
  const int step = P.bayer != 0 ? 2 : 1;
  uint n[9];
  [[unroll]] for (int i = 0; i < 9; ++i) n[i] = at(p + step * (ivec2(i % 3, i / 3) - 1), c);
  [[unroll]] for (int end = 8; end >= 4; --end)
    [[unroll]] for (int i = 0; i < 8; ++i)
      if (i < end) order(n[i], n[i + 1]);
  return n[4];
}
