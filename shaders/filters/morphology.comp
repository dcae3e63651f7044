//! help Takes the greatest or least value under a shape.
//!   tophat keeps bright spots smaller than the shape.
//! feeds response
//! planes grey colour
//! border ignore
//! param op: default tophat; choices dilate erode open close gradient tophat blackhat; help
//!   dilate: greatest value; erode: least value; open: erode, then dilate; close: dilate, then erode; gradient: dilate minus erode; tophat: the input
//!   minus open; blackhat: close minus the input.
//! param shape: default ellipse; choices rect ellipse cross; help The shape around each pixel.
//! param size: default 3; whole; range 1 to 32; slider 1 to 32; unit px; help Width and height of the shape; for tophat above the markers' diameter.
//! value anchor: whole floor(size / 2)
//! value first: whole op == dilate || op == close || op == gradient || op == blackhat
//! value second: whole op == dilate || op == open || op == tophat
//! value two: whole op != dilate && op != erode
//! table slot(i): whole size: sum(k, 1, anchor - abs(i - anchor), shape == ellipse ?
//!   rint(anchor * sqrt(1 - (k - anchor) * (k - anchor) / max(anchor * anchor, 1))) !=
//!   rint(anchor * sqrt(1 - (k - 1 - anchor) * (k - 1 - anchor) / max(anchor * anchor, 1))) : k == anchor)
//! table held(i): whole anchor + 1: i == 0 ? 0 : shape != ellipse ? (i == anchor ? 1 : -1) :
//!   sum(k, 1, anchor, rint(anchor * sqrt(1 - (k - anchor) * (k - anchor) / (anchor * anchor))) == i) == 0 ? -1 :
//!   sum(k, 1, anchor, rint(anchor * sqrt(1 - (k - anchor) * (k - anchor) / (anchor * anchor))) <= i &&
//!     rint(anchor * sqrt(1 - (k - anchor) * (k - anchor) / (anchor * anchor))) !=
//!     rint(anchor * sqrt(1 - (k - 1 - anchor) * (k - 1 - anchor) / (anchor * anchor))))
//! value tiled: whole tiles && shape == rect
//! pass near1 -> b tile 128x32 when tiled && two && size <= 3
//! pass near2 tile 128x32 when tiled && size <= 3
//! pass tile1 -> b tile 128x32 when tiled && two && size > 3
//! pass tile2 tile 128x32 when tiled && size > 3
//! pass rows1 -> a block 8x1 when shape == rect && !tiled
//! pass columns1 -> b block 4x8 when shape == rect && two && !tiled
//! pass rows2 -> a block 8x1 when shape == rect && two && op != gradient && !tiled
//! pass rows3 -> a block 8x1 when shape == rect && op == gradient && !tiled
//! pass square block 4x8 when shape == rect && !tiled
//! pass chords1 -> chord times 10 block 4x2 when shape != rect && two
//! pass shape1 -> b block 4x4 when shape != rect && two
//! pass chords2 -> chord times 10 block 4x2 when shape != rect && two && op != gradient
//! pass shape2 block 4x4 when shape != rect && two && op != gradient
//! pass chords3 -> chord times 10 block 4x2 when shape != rect && (!two || op == gradient)
//! pass shape3 block 4x4 when shape != rect && (!two || op == gradient)
//! check cv::morphologyEx
const int kGradient = 4, kTophat = 5, kBlackhat = 6;
const int kStep = int(kChannels);  // values from one pixel to the next

// GREATEST tells if the operation that a pass belongs to, the first or the second one, takes the greatest value instead
// of the least. INPUT_FOUR and INPUT_ANY read the input of a pass.
#if defined(PASS_near1) || defined(PASS_tile1) || defined(PASS_rows1) || defined(PASS_columns1) || defined(PASS_chords1) || defined(PASS_shape1)
#define GREATEST (P.first != 0)
#else
#define GREATEST (P.second != 0)
#endif
#if defined(PASS_rows2) || defined(PASS_chords2)
#define INPUT_FOUR b_four
#define INPUT_ANY b_any
#else
#define INPUT_FOUR at_four
#define INPUT_ANY at_any
#endif

uint start(bool greatest) { return greatest ? 0u : kFull; }
uvec4 better(bool greatest, uvec4 x, uvec4 y) { return greatest ? max(x, y) : min(x, y); }
uint better(bool greatest, uint x, uint y) { return greatest ? max(x, y) : min(x, y); }

// Returns the output, which `op` computes from the result v of the last operation and from the input.
uvec4 combined(int e, int y, uvec4 v) {
  // With even sizes the result of "open" may exceed the input, and that of "close" may be below it.
  const uvec4 from = at_four(e, y);
  if (P.op == kTophat) return from - min(v, from);
  if (P.op == kBlackhat) return v - min(v, from);
#if defined(PASS_near2) || defined(PASS_tile2) || defined(PASS_square) || defined(PASS_shape3)
  if (P.op == kGradient) return b_four(e, y) - v;
#endif
  return v;
}

#if defined(PASS_near1) || defined(PASS_near2) || defined(PASS_tile1) || defined(PASS_tile2)
// These passes only compute maxima. A minimum is the complement of the maximum of the complements.
uint complement() { return GREATEST ? 0u : 0xffffffffu; }
// Converts the even bytes of a word to a pair of half floats, each plus 1024. This is exact and keeps their order.
f16vec2 pair_(uint word) { return unpackFloat2x16((word & 0xff00ffu) | 0x64006400u); }
uint unpair_(f16vec2 even, f16vec2 odd) { return (packFloat2x16(even) & 0xff00ffu) | (packFloat2x16(odd) & 0xff00ffu) << 8; }
void putCombined(int e, int y, uint word) {
  word ^= complement();
#if defined(PASS_near2) || defined(PASS_tile2)
  if (P.op >= kGradient) {
    const uvec4 v = combined(e, y, bytes_(word));
    word = v.x | v.y << 8 | v.z << 16 | v.w << 24;
  }
#endif
  put_word(e, y, word);
}
#endif

#if defined(PASS_near1) || defined(PASS_near2)
// Returns a word of the input, or its complement if minima are computed. If `inner` is true, the word is inside of the
// image. Windows of up to 3 px need no shared memory, because a lane reads at most 18 words for its 4 values of 4 rows.
uint read_(int e, int y, bool inner) {
#ifdef PASS_near2
  if (P.two != 0 && P.op != kGradient) return complement() ^ (inner ? b_free(e, y) : b_edged(e, y));
#endif
  return complement() ^ (inner ? at_free(e, y) : at_edged(e, y));
}

// Returns the maxima along a row of the windows of a word's four values, in the order first, third, second, fourth.
f16vec4 along(int e, int y, bool inner) {
  const uint before = read_(e - 4, y, inner), word = read_(e, y, inner), behind = read_(e + 4, y, inner);
  const f16vec2 even = pair_(word), odd = pair_(word >> 8), most = max(even, odd);
  const f16vec2 left = pair_(before >> 24 | word << 8), right = pair_(word >> 16 | behind << 16);
  return P.size == 1 ? f16vec4(even, odd) : P.size == 2 ? f16vec4(max(left, even), most) : f16vec4(max(left, most), max(most, right));
}

void fourRows(int e, int y, bool inner) {
  f16vec4 rows[6];
  [[unroll]] for (int j = 0; j < 6; ++j) rows[j] = along(e, y - 1 + j, inner);
  [[unroll]] for (int k = 0; k < 4; ++k) {
    f16vec4 most = rows[k + 1];
    if (P.size > 1) most = max(most, rows[k]);
    if (P.size > 2) most = max(most, rows[k + 2]);
    putCombined(e, y + k, unpair_(most.xy, most.zw));
  }
}

void tile(int e, int y) {
  outside = start(GREATEST);
  const int x = e + lane % 32 * 4, from = y + lane / 32 * 4;
  if (withinImage(e - 4, y - 1, 136, 34)) {
    fourRows(x, from, true);
  } else {
    fourRows(x, from, false);
  }
}

#elif defined(PASS_tile1) || defined(PASS_tile2)
// Maxima down the columns, then along the rows, in shared memory.

// Returns 4 words of 4 values each with rows and columns exchanged.
uvec4 turn(uvec4 r) {
  const uint kEven = 0xff00ffu;
  const uint a = (r.x & kEven) | (r.y & kEven) << 8, b = (r.x >> 8 & kEven) | (r.y & ~kEven);
  const uint c = (r.z & kEven) | (r.w & kEven) << 8, d = (r.z >> 8 & kEven) | (r.w & ~kEven);
  return uvec4((a & 0xffffu) | c << 16, (b & 0xffffu) | d << 16, a >> 16 | (c & 0xffff0000u), b >> 16 | (d & 0xffff0000u));
}

const int kWords = 40, kTurned = 164;
shared uint tile_[63 * kWords];    // the block with 16 more values on either side; later the output
// The maxima of the columns, those of four rows in a word. An unused word follows every 32 words, so that no two lanes
// access the same memory bank.
shared uint turned_[8 * kTurned];
int of(int i) { return i + (i >> 5); }

// Returns the i-th values of four lines that lie side by side: four columns of word `line` in tile_, or, if `across`,
// four rows of turned_.
f16vec4 read_(bool across, int line, int i) {
  const uint word = across ? turned_[line * kTurned + of(i)] : tile_[i * kWords + line] ^ complement();
  return f16vec4(pair_(word), pair_(word >> 8));
}
uint word_(f16vec4 v) { return unpair_(v.xy, v.zw); }

// Computes the maxima of four consecutive values, for eight consecutive starts.
void fours(bool across, int line, int from, out f16vec4 four[8]) {
  f16vec4 two[10], last = read_(across, line, from);
  [[unroll]] for (int i = 0; i < 10; ++i) {
    const f16vec4 next = read_(across, line, from + i + 1);
    two[i] = max(last, next);
    last = next;
  }
  [[unroll]] for (int k = 0; k < 8; ++k) four[k] = max(two[k], two[k + 2]);
}

// Computes the maxima of 8 windows, which begin at `from`, from + 1 and so on. For sizes from 4 to 7, it combines two
// overlapping maxima of 4 values. From size 8 on, the values that all windows share are read only once (van Herk 1992,
// Gil and Werman 1993).
void windows(bool across, int line, int from, out uint best[8]) {
  if (P.size < 4) {
    f16vec4 v[10];
    [[unroll]] for (int i = 0; i < 10; ++i) v[i] = read_(across, line, from + i);
    [[unroll]] for (int k = 0; k < 8; ++k) {
      f16vec4 most = v[k];
      if (P.size > 1) most = max(most, v[k + 1]);
      if (P.size > 2) most = max(most, v[k + 2]);
      best[k] = word_(most);
    }
    return;
  }
  if (P.size < 8) {
    f16vec4 first[8], second[8];
    fours(across, line, from, first);
    fours(across, line, from + P.size - 4, second);
    [[unroll]] for (int k = 0; k < 8; ++k) best[k] = word_(max(first[k], second[k]));
    return;
  }
  f16vec4 core = read_(across, line, from + 7);
  for (int i = 8; i < P.size; ++i) core = max(core, read_(across, line, from + i));
  f16vec4 before[8];
  before[7] = core;
  [[unroll]] for (int i = 6; i >= 0; --i) before[i] = max(before[i + 1], read_(across, line, from + i));
  [[unroll]] for (int k = 0; k < 8; ++k) {
    if (k > 0) core = max(core, read_(across, line, from + P.size + k - 1));
    best[k] = word_(max(before[k], core));
  }
}

void tile(int e, int y) {
  outside = start(GREATEST);
  const int rows = 31 + P.size;
#ifdef PASS_tile2
  if (P.two != 0 && P.op != kGradient)
    LOAD_TILE(b_, e - 16, y - P.anchor, kWords, rows)
  else
#endif
  LOAD_TILE(in_, e - 16, y - P.anchor, kWords, rows)
  uint best[8];
  if (lane < 4 * kWords) {
    const int w = lane % kWords, group = lane / kWords;
    windows(false, w, 8 * group, best);
    [[unroll]] for (int h = 0; h < 2; ++h) {
      const uvec4 four = turn(uvec4(best[4 * h], best[4 * h + 1], best[4 * h + 2], best[4 * h + 3]));
      [[unroll]] for (int c = 0; c < 4; ++c) turned_[(2 * group + h) * kTurned + of(4 * w) + c] = four[c];
    }
  }
  barrier();
  if (lane < 128) {
    const int group = lane / 16, x = lane % 16 * 8;
    windows(true, group, 16 + x - P.anchor, best);
    [[unroll]] for (int h = 0; h < 2; ++h) {
      const uvec4 four = turn(uvec4(best[4 * h], best[4 * h + 1], best[4 * h + 2], best[4 * h + 3]));
      [[unroll]] for (int j = 0; j < 4; ++j) tile_[(4 * group + j) * 33 + x / 4 + h] = four[j];
    }
  }
  barrier();
  for (int i = lane; i < 32 * 32; i += kLanes) putCombined(e + i % 32 * 4, y + i / 32, tile_[i / 32 * 33 + i % 32]);
}

#elif defined(PASS_rows1) || defined(PASS_rows2) || defined(PASS_rows3)
// Computes the best values of windows with sizes below 8: the best of 1, 2 or 4 values, combined with the same a few
// values further on. "Best" is the greatest or the least value, depending on the operation.
void shortRows(bool greatest, int e, int y, out uvec4 first, out uvec4 second) {
  uvec4 u[9];
  const int from = e - P.anchor * kStep, s = from & 3;
  uvec4 four = INPUT_FOUR(from - s, y);
  [[unroll]] for (int i = 0; i < 8; ++i) {
    const uvec4 next = INPUT_FOUR(from - s + 4 * i + 4, y);
    u[i] = shifted(four, next, s);
    four = next;
  }
  u[8] = uvec4(start(greatest));
  [[unroll]] for (int step = 0; step < 2; ++step) {
    const int wide = 1 << step, far = wide * kStep;
    [[unroll]] for (int i = 0; i < 7; ++i) {
      const uvec4 further = better(greatest, u[i], shifted(u[i + far / 4], u[min(i + far / 4 + 1, 8)], far % 4));
      u[i] = P.size >= 2 * wide ? further : u[i];
    }
  }
  const int rest = P.size - (P.size >= 4 ? 4 : P.size >= 2 ? 2 : 1);
  first = u[0];
  second = u[1];
  [[unroll]] for (int more = 1; more < 4; ++more) {
    const int far = more * kStep;
    first = better(greatest, first, rest == more ? shifted(u[far / 4], u[far / 4 + 1], far % 4) : first);
    second = better(greatest, second, rest == more ? shifted(u[1 + far / 4], u[2 + far / 4], far % 4) : second);
  }
}

// Computes the best values of windows with sizes from 8 on, for grey images. The values that all eight windows share
// are read only once (van Herk 1992, Gil and Werman 1993, with blocks as long as the outputs instead of the window).
void longRows(bool greatest, int e, int y, out uvec4 first, out uvec4 second) {
  const int from = e - P.anchor, s = from & 3;
  uvec4 f0 = INPUT_FOUR(from - s, y), f1 = INPUT_FOUR(from - s + 4, y), f2 = INPUT_FOUR(from - s + 8, y);
  uvec4 head0 = shifted(f0, f1, s), head1 = shifted(f1, f2, s);
  uvec4 all = uvec4(start(greatest));
  for (int i = 8; i + 4 <= P.size; i += 4) {
    const uvec4 next = INPUT_FOUR(from - s + i + 4, y);
    all = better(greatest, all, shifted(f2, next, s));
    f2 = next;
  }
  const uvec4 last = INPUT_ANY(from + P.size - 4, y);
  [[unroll]] for (int i = 0; i < 4; ++i) all[i] = better(greatest, all[i], P.size - 4 + i < 7 ? start(greatest) : last[i]);
  const uint core = better(greatest, better(greatest, better(greatest, all.x, all.y), better(greatest, all.z, all.w)), head1.w);
  uint before[8], after[8];
  before[7] = core;
  [[unroll]] for (int i = 6; i >= 0; --i) before[i] = better(greatest, before[i + 1], i < 4 ? head0[i % 4] : head1[i % 4]);
  const uvec4 tail0 = INPUT_ANY(from + P.size, y), tail1 = INPUT_ANY(from + P.size + 4, y);
  after[0] = core;
  [[unroll]] for (int i = 1; i < 8; ++i) after[i] = better(greatest, after[i - 1], i < 5 ? tail0[(i - 1) % 4] : tail1[(i - 1) % 4]);
  [[unroll]] for (int i = 0; i < 4; ++i) {
    first[i] = better(greatest, before[i], after[i]);
    second[i] = better(greatest, before[i + 4], after[i + 4]);
  }
}

void block(int e, int y) {
  const bool greatest = GREATEST;
  outside = start(greatest);
  uvec4 short0, short1, long0 = uvec4(start(greatest)), long1 = long0;
  shortRows(greatest, e, y, short0, short1);
  if (kStep == 1) {
    longRows(greatest, e, y, long0, long1);
  } else {
    for (int i = 0; i < P.size; ++i) {
      long0 = better(greatest, long0, INPUT_ANY(e + (i - P.anchor) * kStep, y));
      long1 = better(greatest, long1, INPUT_ANY(e + 4 + (i - P.anchor) * kStep, y));
    }
  }
  put(e, y, P.size < 8 ? short0 : long0);
  put(e + 4, y, P.size < 8 ? short1 : long1);
}

#elif defined(PASS_columns1) || defined(PASS_square)
// Computes eight rows. Windows with sizes below 8 slide row by row. From size 8 on, the rows that all windows share are
// read only once.
void block(int e, int y) {
  const bool greatest = GREATEST;
  outside = start(greatest);
  uvec4 rows[8], best[8], before[8];
  [[unroll]] for (int k = 0; k < 8; ++k) rows[k] = a_row(e, y - P.anchor + k);
  before[7] = rows[7];
  [[unroll]] for (int k = 6; k >= 0; --k) before[k] = better(greatest, before[k + 1], rows[k]);
  [[unroll]] for (int k = 0; k < 8; ++k) best[k] = rows[k];
  for (int i = 1; i < P.size && P.size < 8; ++i) {
    [[unroll]] for (int k = 0; k < 7; ++k) rows[k] = rows[k + 1];
    rows[7] = a_row(e, y - P.anchor + 7 + i);
    [[unroll]] for (int k = 0; k < 8; ++k) best[k] = better(greatest, best[k], rows[k]);
  }
  uvec4 core = before[7];
  for (int i = 8; i < P.size; ++i) core = better(greatest, core, a_row(e, y - P.anchor + i));
  uvec4 after = core;
  [[unroll]] for (int k = 0; k < 8; ++k) {
    if (k > 0) after = better(greatest, after, a_row(e, y - P.anchor + P.size + k - 1));
    best[k] = P.size < 8 ? best[k] : better(greatest, k < 7 ? before[k] : core, after);
  }
#ifdef PASS_square
  [[unroll]] for (int k = 0; k < 8; ++k) best[k] = combined(e, y + k, best[k]);
#endif
  [[unroll]] for (int k = 0; k < 8; ++k) put(e, y + k, best[k]);
}

#else
// A shape that is no rectangle consists of rows of at most ten different lengths. The first pass finds the best values
// along a row for each of these lengths. The second pass finds the best of these below each other (Urbach and Wilkinson
// 2008). The plane `chord` holds the values ordered by row, then by length.
uint chordAt(int row, int slot_, int e) { return chord_words(row) + uint(slot_) * push_.pitch * kChannels + uint(e) / kPerWord; }

#if defined(PASS_chords1) || defined(PASS_chords2) || defined(PASS_chords3)
void keep(int row, int slot_, int e, uvec4 v) {
  if (row >= int(push_.height)) return;
  const uint at_ = chordAt(row, slot_, e);
  if (kBits == 8u) {
    chord_[at_] = v.x | v.y << 8 | v.z << 16 | v.w << 24;
  } else {
    chord_[at_] = v.x | v.y << 16;
    chord_[at_ + 1u] = v.z | v.w << 16;
  }
}

// Walks from each pixel to both sides, four pixels per turn. With even sizes the last pixel is only on the left side.
void block(int e, int y) {
  const bool greatest = GREATEST;
  outside = start(greatest);
  uvec4 best[2], left[2][4], right[2][4];
  [[unroll]] for (int k = 0; k < 2; ++k) {
    best[k] = left[k][0] = right[k][kStep] = INPUT_FOUR(e, y + k);
    keep(y + k, 0, e, best[k]);
  }
  for (int m = 0; m < P.anchor; m += 4) {
    [[unroll]] for (int k = 0; k < 2; ++k) {
      left[k][kStep] = left[k][0];
      right[k][0] = right[k][kStep];
      [[unroll]] for (int q = 0; q < kStep; ++q) {
        left[k][q] = INPUT_FOUR(e - 4 * kStep * (m / 4 + 1) + 4 * q, y + k);
        right[k][q + 1] = INPUT_FOUR(e + kStep * m + 4 * q + 4, y + k);
      }
    }
    [[unroll]] for (int d = 1; d <= 4; ++d) {
      const int h = m + d, before = kStep * (4 - d), behind = kStep * d;
      if (h > P.anchor) continue;
      const int slot_ = held(h);
      [[unroll]] for (int k = 0; k < 2; ++k) {
        best[k] = better(greatest, best[k], shifted(left[k][before / 4], left[k][min(before / 4 + 1, kStep)], before % 4));
        const uvec4 further = better(greatest, best[k], shifted(right[k][behind / 4], right[k][min(behind / 4 + 1, kStep)], behind % 4));
        best[k] = h < P.size - P.anchor ? further : best[k];
        if (slot_ > 0) keep(y + k, slot_, e, best[k]);
      }
    }
  }
}
#else
void block(int e, int y) {
  const bool greatest = GREATEST;
  uvec4 best[4];
  [[unroll]] for (int k = 0; k < 4; ++k) best[k] = uvec4(start(greatest));
  for (int j = 0; j < P.size; ++j) {
    const int slot_ = slot(j);
    [[unroll]] for (int k = 0; k < 4; ++k) {
      const int row = y + k + j - P.anchor;
      const uint at_ = chordAt(row, slot_, e);
      const uvec4 v = kBits == 8u ? bytes_(chord_[at_]) : halves_(chord_[at_], chord_[at_ + 1u]);
      best[k] = better(greatest, best[k], row >= 0 && row < int(push_.height) ? v : best[k]);
    }
  }
#ifndef PASS_shape1
  [[unroll]] for (int k = 0; k < 4; ++k) best[k] = combined(e, y + k, best[k]);
#endif
  [[unroll]] for (int k = 0; k < 4; ++k) put(e, y + k, best[k]);
}
#endif
#endif
