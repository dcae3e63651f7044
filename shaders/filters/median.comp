//! help Takes the median of the square around every pixel; single outliers vanish.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 1; whole; range 1 to 7; slider 1 to 5; unit px; help The square's side is 2 * radius + 1.
//! pass small3 tile 128x32 when radius == 1
//! pass small5 tile 128x32 when radius == 2
//! pass three block 8x4 when radius == 1 && !tiles
//! pass five block 4x2 when radius == 2 && !tiles
//! pass wider block 4x4 when radius > 2
//! check cv::medianBlur
const int kStep = int(kChannels);  // values from one pixel to the next

uvec4 middleOf(uvec4 a, uvec4 b, uvec4 c) { return max(min(a, b), min(max(a, b), c)); }

#if defined(PASS_small3) || defined(PASS_small5)
// Two 8-bit values as a pair of half floats, plus 1024, which is exact.
f16vec2 pair_(uint word) { return unpackFloat2x16((word & 0xff00ffu) | 0x64006400u); }
uint unpair_(f16vec2 even, f16vec2 odd) { return (packFloat2x16(even) & 0xff00ffu) | (packFloat2x16(odd) & 0xff00ffu) << 8; }
f16vec2 middleOf(f16vec2 a, f16vec2 b, f16vec2 c) { return max(min(a, b), min(max(a, b), c)); }

// The block with four values at either side, in shared memory.
const int kWords = 34;
shared uint tile_[36 * kWords];
void load(int e, int y, int reach) {
  LOAD_TILE(in_, e - 4, y - reach, kWords, 32 + 2 * reach)
}

// The values d and d + 2 of a word, -2 to 3.
f16vec2 pairAt(int w, int row, int d) {
  const int at_ = row * kWords + w + 1;
  const uint word = tile_[at_];
  if (d < 0) return pair_(word << (-8 * d) | tile_[at_ - 1] >> (32 + 8 * d));
  return pair_(d < 2 ? word >> (8 * d) : word >> (8 * d) | tile_[at_ + 1] << (32 - 8 * d));
}
#endif

#if defined(PASS_small3)
// As `three`, for 4 values and 4 rows.
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
// Puts the least of the first n of v to their front and the greatest to their end.
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

// Two rows, whose windows share 20 of 25 values. Only the eighth to the thirteenth of these can be a median. Forgetful selection (see `five`)
// drops the others, and then goes on with each row's own five values.
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
// Columns of three are ordered once for all windows. The median is then the middle one of three: the greatest
// minimum, the median of the medians and the least maximum (Smith 1996).
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
// Forgetful selection (Devillard 1998): from slightly more than half of the values, drop the least and the
// greatest, add the next value, and repeat until the median is left. The first exchanges of a round serve
// both ends. All loops have constant ends; otherwise drivers leave the values in memory.
void block(int e, int y) {
  uvec4 rows[6][5];  // from e - 8
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
      [[unroll]] for (int i = 1; i < 7; ++i) {  // the least to the front
        if (i >= (n + 1) / 2) continue;
        const uvec4 least = min(v[0], v[i]);
        v[i] = max(v[0], v[i]);
        v[0] = least;
      }
      [[unroll]] for (int i = 1; i < 13; ++i) {  // the greatest to the end
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
// The least value that more than half of the pixels do not exceed, bit by bit, from the highest bit in
// which the pixels around the block differ.
void block(int e, int y) {
  const int half_ = (2 * P.radius + 1) * (2 * P.radius + 1) / 2;
  uvec4 least = uvec4(kFull), most = uvec4(0u);
  for (int j = -P.radius; j <= P.radius + 3; ++j) {
    for (int i = -P.radius * kStep & ~3; i <= P.radius * kStep + 3; i += 4) {
      const uvec4 v = at_four(e + i, y + j);
      least = min(least, v);
      most = max(most, v);
    }
  }
  const uint low = min(min(least.x, least.y), min(least.z, least.w)), high = max(max(most.x, most.y), max(most.z, most.w));
  uint bit = 0u, alike = low;
  for (uint differ = low ^ high; differ != 0u; differ >>= 1) {
    bit = bit == 0u ? 1u : bit << 1;
  }
  alike &= ~(2u * bit - min(bit, 1u));  // bits above the highest that differs; all bits if none does
  ivec4 found[4];
  [[unroll]] for (int k = 0; k < 4; ++k) found[k] = ivec4(alike);
  for (; bit != 0u; bit >>= 1) {
    ivec4 below[4], tried[4];
    [[unroll]] for (int k = 0; k < 4; ++k) {
      below[k] = ivec4(0);
      tried[k] = found[k] | int(bit);
    }
    for (int j = -P.radius; j <= P.radius + 3; ++j) {
      ivec4 limit[4];  // 0 for rows whose windows lack this row
      [[unroll]] for (int k = 0; k < 4; ++k) limit[k] = abs(j - k) <= P.radius ? tried[k] : ivec4(0);
      // For grey, four offsets in turn, so that shifts are constants.
      for (int i = kStep == 1 ? -P.radius & ~3 : -P.radius; i <= P.radius; i += kStep == 1 ? 4 : 1) {
        const uvec4 u = kStep == 1 ? at_four(e + i, y + j) : at_any(e + i * kStep, y + j);
        const uvec4 further = kStep == 1 ? at_four(e + i + 4, y + j) : u;
        [[unroll]] for (int s = 0; s < (kStep == 1 ? 4 : 1); ++s) {
          const ivec4 v = abs(i + s) <= P.radius ? ivec4(shifted(u, further, s)) : ivec4(65536);
          [[unroll]] for (int k = 0; k < 4; ++k) below[k] += ivec4(lessThan(v, limit[k]));
        }
      }
    }
    [[unroll]] for (int k = 0; k < 4; ++k) found[k] = mix(found[k], tried[k], lessThanEqual(below[k], ivec4(half_)));
  }
  [[unroll]] for (int k = 0; k < 4; ++k) put(e, y + k, uvec4(found[k]));
}
#endif
