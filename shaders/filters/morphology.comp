//! help Greatest or least value under a shape, and what follows from them; tophat keeps bright spots smaller than the shape.
//! feeds response
//! planes grey colour
//! border ignore
//! param op: default tophat; choices dilate erode open close gradient tophat blackhat; help
//!   dilate, erode: greatest, least value; open: dilate of erode; close: the other way round; gradient: dilate minus erode; tophat: the
//!   input minus open; blackhat: close minus the input.
//! param shape: default ellipse; choices rect ellipse cross; help The shape.
//! param size: default 3; whole; range 1 to 32; slider 1 to 32; unit px; help Its width and height; of tophat above the markers' diameter.
//! value anchor: whole floor(size / 2)
//! value first: whole op == dilate || op == close || op == gradient || op == blackhat
//! value second: whole op == dilate || op == open || op == tophat
//! value two: whole op != dilate && op != erode
//! table reach(i): whole size: shape == ellipse ?
//!   rint(anchor * sqrt(1 - (i - anchor) * (i - anchor) / max(anchor * anchor, 1))) : i == anchor ? size : 0
//! pass rows1 -> a when shape == rect
//! pass columns1 -> b when shape == rect && two
//! pass rows2 -> a when shape == rect && two
//! pass square when shape == rect
//! pass whole1 -> b when shape != rect && two
//! pass whole2 when shape != rect
//! check cv::morphologyEx
const int kGradient = 4, kTophat = 5, kBlackhat = 6;

uint start(bool greatest) { return greatest ? 0u : kFull; }
uint better(bool greatest, uint x, uint y) { return greatest ? max(x, y) : min(x, y); }

// What the second operation makes of the first one's result, or of the input.
uint combined(ivec2 p, int c, uint v) {
  // Of even sizes, open may be above the input and close below it.
  if (P.op == kTophat) return at(p, c) - min(v, at(p, c));
  if (P.op == kBlackhat) return v - min(v, at(p, c));
#if defined(PASS_square) || defined(PASS_whole2)
  if (P.op == kGradient) return b(p, c) - v;
#endif
  return v;
}

uint input_(bool second, ivec2 p, int c) {
#if defined(PASS_rows2) || defined(PASS_whole2)
  if (second && P.two != 0 && P.op != kGradient) return b(p, c);
#endif
  return at(p, c);
}

uint rowOf(bool greatest, bool second, ivec2 p, int c) {
  uint best = start(greatest);
  const int end = min(p.x - P.anchor + P.size, size().x);
  for (int x = max(p.x - P.anchor, 0); x < end; ++x) best = better(greatest, best, input_(second, ivec2(x, p.y), c));
  return best;
}

#if defined(PASS_columns1) || defined(PASS_square)
uint columnOf(bool greatest, ivec2 p, int c) {
  uint best = start(greatest);
  const int end = min(p.y - P.anchor + P.size, size().y);
  for (int y = max(p.y - P.anchor, 0); y < end; ++y) best = better(greatest, best, a(ivec2(p.x, y), c));
  return best;
}
#endif

uint wholeOf(bool greatest, bool second, ivec2 p, int c) {
  uint best = start(greatest);
  for (int j = max(0, P.anchor - p.y); j < min(P.size, size().y + P.anchor - p.y); ++j) {
    const int h = reach(j);
    const int from = max(max(P.anchor - h, 0) + p.x - P.anchor, 0);
    const int to = min(min(P.anchor + h, P.size - 1) + p.x - P.anchor, size().x - 1);
    for (int x = from; x <= to; ++x) best = better(greatest, best, input_(second, ivec2(x, p.y + j - P.anchor), c));
  }
  return best;
}

uint value(ivec2 p, int c) {
  const bool first = P.first != 0, second = P.second != 0;
#if defined(PASS_rows1)
  return rowOf(first, false, p, c);
#elif defined(PASS_columns1)
  return columnOf(first, p, c);
#elif defined(PASS_rows2)
  return rowOf(second, true, p, c);
#elif defined(PASS_square)
  return combined(p, c, columnOf(second, p, c));
#elif defined(PASS_whole1)
  return wholeOf(first, false, p, c);
#else
  return combined(p, c, wholeOf(second, true, p, c));
#endif
}
