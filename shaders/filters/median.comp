//! help Takes the median of a square around every pixel: single bright or dark pixels vanish.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 1; whole; range 1 to 7; slider 1 to 5; unit px; help The square's side is twice that and one.
//! pass three when radius == 1
//! pass five when radius == 2
//! pass wider when radius > 2
//! check cv::medianBlur
#ifdef PASS_wider
// The least value that more than half of the pixels do not exceed, a bit after the other.
uint value(ivec2 p, int c) {
  const int half_ = (2 * P.radius + 1) * (2 * P.radius + 1) / 2;
  uint found = 0u;
  for (uint bit = 1u << (kBits - 1u); bit != 0u; bit >>= 1) {
    int below = 0;
    for (int j = -P.radius; j <= P.radius; ++j)
      for (int i = -P.radius; i <= P.radius; ++i) below += at(p + ivec2(i, j), c) < (found | bit) ? 1 : 0;
    if (below <= half_) found |= bit;
  }
  return found;
}
#else
#ifdef PASS_three
const int kRadius = 1;
#else
const int kRadius = 2;
#endif
const int kSide = 2 * kRadius + 1;
const int kPixels = kSide * kSide;

// Forgetful selection (Devillard 1998): of a few more than half of the values least and greatest are
// dropped, and the next one takes their place, until the median is left.
uint value(ivec2 p, int c) {
  const int kStart = kPixels / 2 + 2;
  uint v[kPixels / 2 + 2];
  [[unroll]] for (int i = 0; i < kStart; ++i) v[i] = at(p + ivec2(i % kSide, i / kSide) - kRadius, c);
  [[unroll]] for (int n = kStart; n >= 3; --n) {
    [[unroll]] for (int i = 1; i < n; ++i) {  // the least to the front
      const uint least = min(v[0], v[i]);
      v[i] = max(v[0], v[i]);
      v[0] = least;
    }
    [[unroll]] for (int i = 1; i + 1 < n; ++i) {  // the greatest to the end
      const uint most = max(v[n - 1], v[i]);
      v[i] = min(v[n - 1], v[i]);
      v[n - 1] = most;
    }
    const int next = 2 * kStart - n;
    if (n > 3) v[0] = at(p + ivec2(next % kSide, next / kSide) - kRadius, c);
  }
  return v[1];
}
#endif
