//! help Finds corners as FAST does (9 of 16 pixels on a ring) and shows their scores.
//! feeds response
//! planes grey
//! border none
//! param threshold: default 10; whole; range 0 to 255; unit of 255; help The 9 pixels must be brighter, or darker, than the centre by more than this.
//! param suppress: default true; help Keep only corners that score higher than all their neighbours.
//! value least: whole threshold * full / 255
//! pass scores -> score
//! pass peaks
//! check cv::FAST
#ifdef PASS_scores
const ivec2 kRing[16] = {{0, 3}, {1, 3}, {2, 2}, {3, 1}, {3, 0}, {3, -1}, {2, -2}, {1, -3},
                         {0, -3}, {-1, -3}, {-2, -2}, {-3, -1}, {-3, 0}, {-3, 1}, {-2, 2}, {-1, 3}};

uint value(ivec2 p, int c) {
  if (any(lessThan(p, ivec2(3))) || any(greaterThanEqual(p, size() - 3))) return 0u;
  const int centre = int(at(p, c));
  int d[16];
  [[unroll]] for (int i = 0; i < 16; ++i) d[i] = int(at(p + kRing[i], c)) - centre;
  int best = -65536;
  [[unroll]] for (int from = 0; from < 16; ++from) {
    int least = d[from], most = d[from];
    [[unroll]] for (int i = 1; i < 9; ++i) {
      least = min(least, d[(from + i) % 16]);
      most = max(most, d[(from + i) % 16]);
    }
    // max() of a negative number fails on NVIDIA: see docs/gpu.md.
    if (least > best) best = least;
    if (-most > best) best = -most;
  }
  return best > P.least ? uint(best - 1) : 0u;
}
#else
uint value(ivec2 p, int c) {
  const uint s = score(p, c);
  if (s == 0u || P.suppress == 0) return s;
  for (int i = 0; i < 9; ++i)
    if (i != 4 && score(p + ivec2(i % 3, i / 3) - 1, c) >= s) return 0u;
  return s;
}
#endif
