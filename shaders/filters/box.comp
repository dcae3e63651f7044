//! help Blurs with the mean of the square around every pixel, rounded once.
//! feeds response
//! planes grey colour
//! border mirror
//! param radius: default 1; whole; range 0 to 63; slider 0 to 24; neutral 0; unit px; help The square's side is 2 * radius + 1.
//! value pixels: whole (2 * radius + 1) * (2 * radius + 1)
//! value share: 1 / pixels
//! value times: whole ceil(16777216 / pixels)
//! value small: whole tiles && (radius == 1 || radius == 2)
//! value tiled: whole tiles && radius <= 15 && !small
//! pass columns -> sums double block 4x40 when !tiled && !small
//! pass rows block 64x1 when !tiled && !small
//! pass near tile 128x32 when small
//! pass square tile 128x32 when tiled
//! check cv::blur
#ifdef PASS_columns
#define SUMS_OF_COLUMNS
#elif defined(PASS_near)
// Windows of 3 and 5 px need no shared memory. For its 4 values of 4 rows, a lane reads 24 words at most.

// Returns the word at e and its two neighbours in the row. A word beyond the left or right side of the image is
// replaced by the nearest word inside.
uvec3 wordsAt(int e, int y, bool inner) {
  if (inner) return uvec3(at_free(e - 4, y), at_free(e, y), at_free(e + 4, y));
  return uvec3(at_word(e - 4, y), at_word(e, y), at_word(e + 4, y));
}

// Returns the column whose value a mirrored border has at x, which is at most 2 px outside.
int mirroredColumn(int x) {
  const int last = int(push_.width) - 1;
  return min(abs(min(abs(x), 2 * last - abs(x))), last);
}

// Fills in the values of a mirrored border, as far as windows reach.
uvec3 mirrored(int e, uvec3 words) {
  uvec3 all = uvec3(0u);
  [[unroll]] for (int i = 2; i < 10; ++i) {
    const int from = clamp(mirroredColumn(e - 4 + i) - e + 4, 0, 11);
    all[i / 4] |= (words[from / 4] >> (from % 4 * 8) & 0xffu) << (i % 4 * 8);
  }
  return all;
}

// Returns the sums along a row of the windows around the four values of the middle word.
uvec4 along(uvec3 words, bool wide) {
  const uint left = sumOfBytes(words.x, 0x01000000u), right = sumOfBytes(words.z, 0x00000001u);
  if (!wide) {
    return uvec4(left + sumOfBytes(words.y, 0x00000101u), sumOfBytes(words.y, 0x00010101u),
                 sumOfBytes(words.y, 0x01010100u), sumOfBytes(words.y, 0x01010000u) + right);
  }
  const uint all = sumOfBytes(words.y, 0x01010101u);
  return uvec4(sumOfBytes(words.x, 0x01010000u) + sumOfBytes(words.y, 0x00010101u), left + all, all + right,
               sumOfBytes(words.y, 0x01010100u) + sumOfBytes(words.z, 0x00000101u));
}

// Returns the rounded means as four bytes. The quotient of at most 25 values is exact. It is in the upper byte of the
// product.
uint means(uvec4 sums) {
  const uvec4 v = sums * uint(P.times) + uint(P.pixels / 2) * uint(P.times);
  return v.x >> 24 | v.y >> 16 & 0xff00u | v.z >> 8 & 0xff0000u | v.w & 0xff000000u;
}

// Computes four values of each of four rows. `inner` tells that all windows are inside of the image, and `wide` that
// they have 5 px instead of 3.
void fourRows(int e, int y, bool inner, bool wide) {
  const int reach = wide ? 2 : 1;
  uvec3 words[8];
  [[unroll]] for (int j = 0; j < 4 + 2 * reach; ++j) words[j] = wordsAt(e, y - reach + j, inner);
  if (!inner && (e < 2 || e + 6 > int(push_.width))) {
    [[unroll]] for (int j = 0; j < 4 + 2 * reach; ++j) words[j] = mirrored(e, words[j]);
  }
  uvec4 rows[8], sum = uvec4(0u);
  [[unroll]] for (int j = 0; j < 4 + 2 * reach; ++j) rows[j] = along(words[j], wide);
  [[unroll]] for (int j = 0; j < 2 * reach; ++j) sum += rows[j];
  [[unroll]] for (int k = 0; k < 4; ++k) {
    sum += rows[k + 2 * reach];
    put_word(e, y + k, means(sum));
    sum -= rows[k];
  }
}

// Calls fourRows() with a constant `wide`, so that compilers can optimise both cases.
void fourRows(int e, int y, bool inner) {
  if (P.radius == 2) {
    fourRows(e, y, inner, true);
  } else {
    fourRows(e, y, inner, false);
  }
}

void tile(int e, int y) {
  const int x = e + lane % 32 * 4, from = y + lane / 32 * 4;
  if (withinImage(e - 4, y - 2, 136, 36)) {
    fourRows(x, from, true);
  } else {
    fourRows(x, from, false);
  }
}
#elif defined(PASS_square)
// Sums down the columns and along the rows in one pass, in shared memory. All sums are exact in float. A row of
// `downs_` has 160 values. An unused word follows every 32 values, so that no two lanes access the same memory bank.
const int kWords = 40, kRow = 165;
shared uint tile_[62 * kWords];     // the block with 16 more values on either side; later the output
shared uint downs_[16 * kRow];      // sums down the columns, those of two rows in a word
int of(int i) { return i + (i >> 5); }

// Computes the sums down the columns of the four values in word w, for 8 rows from `from` on.
void columns(int w, int from) {
  uint even = 0u, odd = 0u;  // two sums of 16 bits each
  for (int j = 0; j < 2 * P.radius; ++j) {
    const uint v = tile_[(from + j) * kWords + w];
    even += v & 0xff00ffu;
    odd += v >> 8 & 0xff00ffu;
  }
  [[unroll]] for (int k = 0; k < 8; k += 2) {
    uvec2 sums[2];
    [[unroll]] for (int n = 0; n < 2; ++n) {
      const uint enters = tile_[(from + k + n + 2 * P.radius) * kWords + w], leaves = tile_[(from + k + n) * kWords + w];
      even += enters & 0xff00ffu;
      odd += enters >> 8 & 0xff00ffu;
      sums[n] = uvec2(even, odd);
      even -= leaves & 0xff00ffu;
      odd -= leaves >> 8 & 0xff00ffu;
    }
    const int at_ = (from + k) / 2 * kRow + of(4 * w);
    downs_[at_] = (sums[0].x & 0xffffu) | sums[1].x << 16;
    downs_[at_ + 1] = (sums[0].y & 0xffffu) | sums[1].y << 16;
    downs_[at_ + 2] = sums[0].x >> 16 | (sums[1].x & 0xffff0000u);
    downs_[at_ + 3] = sums[0].y >> 16 | (sums[1].y & 0xffff0000u);
  }
}

// Returns the sums of two rows at x. It equals vec2(v & 0xffffu, v >> 16), but is faster.
vec2 sumsAt(int row, int x) {
  const uint v = downs_[row * kRow + of(x)];
  return uintBitsToFloat(uvec2(v & 0xffffu, v >> 16) | 0x4b000000u) - 8388608.0;
}

// Computes the means of 8 values of two rows. An additional half count ensures that rounding does not take a whole
// quotient to the next lower number.
void along(int row, int from) {
  const float half_ = (float(P.pixels / 2) + 0.5) * P.share;
  vec2 sum = vec2(0.0);
  for (int i = -P.radius; i < P.radius; ++i) sum += sumsAt(row, 16 + from + i);
  uvec2 words[2];
  [[unroll]] for (int i = 0; i < 8; ++i) {
    const int x = 16 + from + i;
    sum += sumsAt(row, x + P.radius);
    const uvec2 means = uvec2(sum * P.share + half_);
    words[i / 4] = i % 4 == 0 ? means : words[i / 4] | means << (8 * (i % 4));
    sum -= sumsAt(row, x - P.radius);
  }
  [[unroll]] for (int k = 0; k < 2; ++k) {
    tile_[2 * row * 33 + from / 4 + k] = words[k].x;
    tile_[(2 * row + 1) * 33 + from / 4 + k] = words[k].y;
  }
}

void tile(int e, int y) {
  LOAD_TILE(in_, e - 16, y - P.radius, kWords, 32 + 2 * P.radius)
  if (lane < 4 * kWords) columns(lane % kWords, lane / kWords * 8);
  barrier();
  along(lane % 16, lane / 16 * 8);
  barrier();
  for (int i = lane; i < 32 * 32; i += kLanes) put_word(e + i % 32 * 4, y + i / 32, tile_[i / 32 * 33 + i % 32]);
}
#else
#define MEANS_OF_ROWS(e, y, mean) uvec4(mean)
#endif
