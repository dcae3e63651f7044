//! help Takes the median of the square around every pixel; single outliers vanish.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 1; whole; range 1 to 7; slider 1 to 5; unit px; help The square's side is 2 * radius + 1.
//! pass small3 tile 128x32 when radius == 1
//! pass small5 tile 128x32 when radius == 2
//! pass three block 8x4 when radius == 1 && !tiles
//! pass five block 4x2 when radius == 2 && !tiles
//! pass planes -> bits times 4 block 24x1 when radius > 2
//! pass seven block 4x2 when radius == 3 && channels == 1
//! pass wide block 4x2 when radius > 3 && channels == 1
//! pass seven_coloured block 12x2 when radius == 3 && channels == 3
//! pass wide_coloured block 12x2 when radius > 3 && channels == 3
//! check cv::medianBlur
const int kStep = int(kChannels);  // values from one pixel to the next

uvec4 middleOf(uvec4 a, uvec4 b, uvec4 c) { return max(min(a, b), min(max(a, b), c)); }

#if defined(PASS_small3) || defined(PASS_small5)
// Converts the even bytes of a word to a pair of half floats, each plus 1024. This is exact and keeps their order.
f16vec2 pair_(uint word) { return unpackFloat2x16((word & 0xff00ffu) | 0x64006400u); }
uint unpair_(f16vec2 even, f16vec2 odd) { return (packFloat2x16(even) & 0xff00ffu) | (packFloat2x16(odd) & 0xff00ffu) << 8; }
f16vec2 middleOf(f16vec2 a, f16vec2 b, f16vec2 c) { return max(min(a, b), min(max(a, b), c)); }

// The block with four more values on either side, in shared memory.
const int kWords = 34;
shared uint tile_[36 * kWords];
void load(int e, int y, int reach) {
  LOAD_TILE(in_, e - 4, y - reach, kWords, 32 + 2 * reach)
}

// Returns the values d and d + 2, counted from the first value of word w. `d` is -2 to 3.
f16vec2 pairAt(int w, int row, int d) {
  const int at_ = row * kWords + w + 1;
  const uint word = tile_[at_];
  if (d < 0) return pair_(word << (-8 * d) | tile_[at_ - 1] >> (32 + 8 * d));
  return pair_(d < 2 ? word >> (8 * d) : word >> (8 * d) | tile_[at_ + 1] << (32 - 8 * d));
}
#endif

#if defined(PASS_small3)
// Computes 4 values of 4 rows with the method of pass `three`.
void tile(int e, int y) {
  load(e, y, 1);
  const int w = lane % 32, from = lane / 32 * 4;
  f16vec2 rows[6][4];
  [[unroll]] for (int j = 0; j < 6; ++j)
    [[unroll]] for (int d = 0; d < 4; ++d) rows[j][d] = pairAt(w, from + j, d - 1);
  [[unroll]] for (int k = 0; k < 4; ++k) {
    f16vec2 least[4], mid[4], most[4], found[2];
    [[unroll]] for (int d = 0; d < 4; ++d) {
      const f16vec2 a = rows[k][d], b = rows[k + 1][d], c = rows[k + 2][d];
      const f16vec2 low = min(a, b), high = max(a, b);
      least[d] = min(low, c);
      mid[d] = max(low, min(high, c));
      most[d] = max(high, c);
    }
    [[unroll]] for (int i = 0; i < 2; ++i) {
      const f16vec2 low = max(max(least[i], least[i + 1]), least[i + 2]), high = min(min(most[i], most[i + 1]), most[i + 2]);
      found[i] = middleOf(low, middleOf(mid[i], mid[i + 1], mid[i + 2]), high);
    }
    put_word(e + 4 * w, y + from + k, unpair_(found[0], found[1]));
  }
}
#elif defined(PASS_small5)
// Moves the least of the first n values of v to their front and the greatest to their end.
#define EXTREMES(v, n, half) \
  [[unroll]] for (int i = 0; i < half; ++i) { \
    if (i >= n / 2) continue; \
    const int end = max(n - 1 - i, 0); \
    const f16vec2 least = min(v[i], v[end]); \
    v[end] = max(v[i], v[end]); \
    v[i] = least; \
  } \
  [[unroll]] for (int i = 1; i < half; ++i) { \
    if (i >= (n + 1) / 2) continue; \
    const f16vec2 least = min(v[0], v[i]); \
    v[i] = max(v[0], v[i]); \
    v[0] = least; \
  } \
  [[unroll]] for (int i = 1; i < 2 * half - 1; ++i) { \
    if (i < n / 2 || i >= n - 1) continue; \
    const f16vec2 most = max(v[n - 1], v[i]); \
    v[i] = min(v[n - 1], v[i]); \
    v[n - 1] = most; \
  }

// Computes two rows, whose windows share 20 of 25 values. Of these 20 in sorted order, only the eighth to the
// thirteenth can be a median. Forgetful selection (see pass `five`) drops the others. Then it continues with the five
// values that only one of the rows has.
void tile(int e, int y) {
  load(e, y, 2);
  for (int task = lane; task < 512; task += kLanes) {
    const int w = task % 32, from = task / 32 * 2;
    f16vec2 rows[6][6], found[2][2];
    [[unroll]] for (int j = 0; j < 6; ++j)
      [[unroll]] for (int d = 0; d < 6; ++d) rows[j][d] = pairAt(w, from + j, d - 2);
    [[unroll]] for (int odd = 0; odd < 2; ++odd) {
      f16vec2 v[14];
      [[unroll]] for (int i = 0; i < 14; ++i) v[i] = rows[1 + i / 5][i % 5 + odd];
      [[unroll]] for (int n = 14; n >= 8; --n) {
        EXTREMES(v, n, 7)
        if (n > 8) v[0] = rows[1 + (28 - n) / 5][(28 - n) % 5 + odd];
      }
      [[unroll]] for (int k = 0; k < 2; ++k) {
        f16vec2 u[8];
        [[unroll]] for (int i = 0; i < 6; ++i) u[i] = v[i + 1];
        u[6] = rows[5 * k][odd];
        [[unroll]] for (int n = 7; n >= 3; --n) {
          EXTREMES(u, n, 4)
          if (n > 3) u[0] = rows[5 * k][8 - n + odd];
        }
        found[k][odd] = u[1];
      }
    }
    [[unroll]] for (int k = 0; k < 2; ++k) put_word(e + 4 * w, y + from + k, unpair_(found[k][0], found[k][1]));
  }
}
#elif defined(PASS_three)
// The three values of each column are sorted once for all windows. The median of a window is then the middle one of
// three numbers: the greatest minimum, the median of the medians and the least maximum of its columns (Smith 1996).
void block(int e, int y) {
  uvec4 rows[6][4];
  [[unroll]] for (int j = 0; j < 6; ++j)
    [[unroll]] for (int i = 0; i < 4; ++i) rows[j][i] = at_four(e - 4 + 4 * i, y - 1 + j);
  [[unroll]] for (int k = 0; k < 4; ++k) {
    uvec4 least[4], mid[4], most[4];
    [[unroll]] for (int i = 0; i < 4; ++i) {
      const uvec4 a = rows[k][i], b = rows[k + 1][i], c = rows[k + 2][i];
      least[i] = min(min(a, b), c);
      mid[i] = middleOf(a, b, c);
      most[i] = max(max(a, b), c);
    }
    [[unroll]] for (int i = 1; i < 3; ++i) {
      const uvec4 low = max(max(shifted(least[i - 1], least[i], 4 - kStep), least[i]), shifted(least[i], least[i + 1], kStep));
      const uvec4 high = min(min(shifted(most[i - 1], most[i], 4 - kStep), most[i]), shifted(most[i], most[i + 1], kStep));
      const uvec4 between = middleOf(shifted(mid[i - 1], mid[i], 4 - kStep), mid[i], shifted(mid[i], mid[i + 1], kStep));
      put(e + 4 * i - 4, y + k, middleOf(low, between, high));
    }
  }
}
#elif defined(PASS_five)
// Forgetful selection (Devillard 1998): of slightly more than half of the values, drop the least and the greatest, add
// the next value, and repeat until the median is left. The first exchanges of a round serve both ends. All loops have
// constant limits, because otherwise drivers keep the values in memory.
void block(int e, int y) {
  uvec4 rows[6][5];  // 20 values of each of six rows, from e - 8 on
  [[unroll]] for (int j = 0; j < 6; ++j)
    [[unroll]] for (int i = 0; i < 5; ++i) rows[j][i] = kStep > 1 || (i > 0 && i < 4) ? at_four(e - 8 + 4 * i, y - 2 + j) : uvec4(0u);
  [[unroll]] for (int k = 0; k < 2; ++k) {
    uvec4 all[26];
    [[unroll]] for (int i = 0; i < 25; ++i) {
      const int from = 8 + (i % 5 - 2) * kStep;
      all[i] = shifted(rows[i / 5 + k][from / 4], rows[i / 5 + k][min(from / 4 + 1, 4)], from % 4);
    }
    uvec4 v[14];
    [[unroll]] for (int i = 0; i < 14; ++i) v[i] = all[i];
    [[unroll]] for (int n = 14; n >= 3; --n) {
      [[unroll]] for (int i = 0; i < 7; ++i) {
        if (i >= n / 2) continue;
        const int end = max(n - 1 - i, 0);
        const uvec4 least = min(v[i], v[end]);
        v[end] = max(v[i], v[end]);
        v[i] = least;
      }
      [[unroll]] for (int i = 1; i < 7; ++i) {  // moves the least to the front
        if (i >= (n + 1) / 2) continue;
        const uvec4 least = min(v[0], v[i]);
        v[i] = max(v[0], v[i]);
        v[0] = least;
      }
      [[unroll]] for (int i = 1; i < 13; ++i) {  // moves the greatest to the end
        if (i < n / 2 || i >= n - 1) continue;
        const uvec4 most = max(v[n - 1], v[i]);
        v[i] = min(v[n - 1], v[i]);
        v[n - 1] = most;
      }
      if (n > 3) v[0] = all[28 - n];
    }
    put(e, y + k, v[1]);
  }
}
#else
// Wider windows find the median bit by bit. The plane `bits` is made first: a word holds one bit of each of 32 pixels
// of a row, namely of a group of 8 pixels, of the 8 before it and of the 16 behind it. The words are ordered by row,
// then by bit, channel and group.
int groups() { return int(push_.pitch * kPerWord) / 8; }
int wordOf(int y, int bit, int c, int group) { return int(bits_words(y)) + (bit * kStep + c) * groups() + group; }
#endif

#if defined(PASS_planes)
// Returns the lowest bits of four bytes as four neighbouring bits.
uint gathered(uint four) { return (four & 0x01010101u) * 0x01020408u >> 24 & 15u; }

// Makes the words of all bits for one group of a row and one channel.
void makeWords(int group, int c, int y) {
  uint words[16];
  [[unroll]] for (int b = 0; b < 16; ++b) words[b] = 0u;
  [[unroll]] for (int i = 0; i < 6; ++i) {
    uvec4 v;
    const int e = (8 * group - 8 + 4 * i) * kStep;
    if (kStep == 1) {
      v = at_four(e, y);
    } else {
      const uvec4 first = at_four(e, y), second = at_four(e + 4, y), third = at_four(e + 8, y);
      v = c == 0 ? uvec4(first.xw, second.z, third.y) : c == 1 ? uvec4(first.y, second.xw, third.z) : uvec4(first.z, second.y, third.xw);
    }
    const uint low = (v.x & 255u) | (v.y & 255u) << 8 | (v.z & 255u) << 16 | (v.w & 255u) << 24;
    const uint high = v.x >> 8 | v.y >> 8 << 8 | v.z >> 8 << 16 | v.w >> 8 << 24;
    [[unroll]] for (int b = 0; b < 8; ++b) {
      words[b] |= gathered(low >> b) << (4 * i);
      if (kBits == 16u) words[b + 8] |= gathered(high >> b) << (4 * i);
    }
  }
  [[unroll]] for (int b = 0; b < int(kBits); ++b) bits_[wordOf(y, b, c, group)] = words[b];
}

void block(int e, int y) {
  [[unroll]] for (int i = 0; i < 3; ++i) {
    const int group = kStep == 1 ? e / 8 + i : e / 24;
    if (group < groups()) makeWords(group, kStep == 1 ? 0 : i, y);
  }
}
#elif defined(PASS_seven) || defined(PASS_wide) || defined(PASS_seven_coloured) || defined(PASS_wide_coloured)
// A window is stored as pairs of rows, one in either half of a word. These are the pairs that the windows of two rows
// have together.
#if defined(PASS_seven) || defined(PASS_seven_coloured)
const int kPairs = 4;
#else
const int kPairs = 8;
#endif

// Counts the set bits of eight words. Carry-save adders reduce them to four words, whose bits are then counted (Warren,
// Hacker's Delight, 5-1).
void add3(uint a, uint b, uint c, out uint sum, out uint carry) {
  const uint half_ = a ^ b;
  sum = half_ ^ c;
  carry = (a & b) | (half_ & c);
}
int count(uint v[8]) {
  uint a, b, c, d, e, f;
  add3(v[0], v[1], v[2], a, b);
  add3(v[3], v[4], v[5], c, d);
  add3(a, c, v[6], e, f);
  const uint ones = e ^ v[7], two = e & v[7];
  add3(b, d, f, a, c);
  const uint four = a & two;
  return bitCount(ones) + 2 * bitCount(a ^ two) + 4 * bitCount(c ^ four) + 8 * bitCount(c & four);
}

// Finds the medians of four pixels of two rows, bit by bit from the highest. Each step counts the values that are still
// possible and have a 0 in this bit. If they do not reach the rank of the median, the median has a 1 in this bit. Bits
// that are equal in all pixels of the neighbourhood are not counted. The lanes of a subgroup decide that together,
// because lavapipe loses the results of a lane that leaves a loop before the others.
void medians(int group, int c, int shift, int y, out uint found[8]) {
  const int side = 2 * P.radius + 1, rows = side + 1;
  const uint window = (1u << side) - 1u, around = (1u << (side + 3)) - 1u;
  uint possible[8][kPairs];
  int rank[8];
  [[unroll]] for (int k = 0; k < 8; ++k) {
    [[unroll]] for (int j = 0; j < kPairs; ++j) {
      const int t = 2 * j - k / 4;  // the row of this window that is in the lower half of the word
      possible[k][j] = (t >= 0 && t < side ? window : 0u) | (t + 1 >= 0 && t + 1 < side ? window << 16 : 0u);
    }
    rank[k] = side * side / 2;
    found[k] = 0u;
  }
  uint alike = 0u;
  bool differ;
  int bit = int(kBits);
  do {
    uint line[2 * kPairs];
    do {
      --bit;
      uint any = 0u, all = around;
      [[unroll]] for (int t = 0; t < 2 * kPairs; ++t) {
        line[t] = bits_[wordOf(y - P.radius + min(t, rows - 1), bit, c, group)] >> shift & around;
        any |= line[t];
        all &= line[t];
      }
      differ = subgroupAny(any != 0u && all != around);
      if (!differ && any != 0u) alike |= 1u << bit;
    } while (!differ && bit > 0);
    if (!differ) break;
    [[unroll]] for (int i = 0; i < 4; ++i) {
      uint two[kPairs];
      [[unroll]] for (int j = 0; j < kPairs; ++j) two[j] = (line[2 * j] >> i & 0xffffu) | line[2 * j + 1] >> i << 16;
      [[unroll]] for (int k = i; k < 8; k += 4) {
        uint zeros[8];
        [[unroll]] for (int j = 0; j < 8; ++j) zeros[j] = j < kPairs ? possible[k][min(j, kPairs - 1)] & ~two[min(j, kPairs - 1)] : 0u;
        const int n = count(zeros);
        const bool one = rank[k] >= n;
        rank[k] -= one ? n : 0;
        found[k] |= one ? 1u << bit : 0u;
        const uint flip = one ? 0u : 0xffffffffu;
        [[unroll]] for (int j = 0; j < kPairs; ++j) possible[k][j] &= two[j] ^ flip;
      }
    }
  } while (bit > 0);
  [[unroll]] for (int k = 0; k < 8; ++k) found[k] |= alike;
}

void block(int e, int y) {
#if defined(PASS_seven) || defined(PASS_wide)
  if (kStep != 1) return;
  uint found[8];
  medians(e / 8, 0, 8 + e % 8 - P.radius, y, found);
  [[unroll]] for (int k = 0; k < 2; ++k) put(e, y + k, uvec4(found[4 * k], found[4 * k + 1], found[4 * k + 2], found[4 * k + 3]));
#else
  if (kStep != 3) return;
  uint found[3][8];
  const int x = e / 3;
  for (int c = 0; c < 3; ++c) {
    uint one[8];
    medians(x / 8, c, 8 + x % 8 - P.radius, y, one);
    [[unroll]] for (int k = 0; k < 8; ++k) found[c][k] = one[k];
  }
  [[unroll]] for (int k = 0; k < 2; ++k)
    [[unroll]] for (int i = 0; i < 3; ++i) {
      uvec4 v;
      [[unroll]] for (int j = 0; j < 4; ++j) v[j] = found[(4 * i + j) % 3][4 * k + (4 * i + j) / 3];
      put(e + 4 * i, y + k, v);
    }
#endif
}
#endif
