//! help Blurs with the mean of the square around every pixel, rounded once.
//! feeds response
//! planes grey colour
//! border mirror
//! param radius: default 1; whole; range 0 to 63; slider 0 to 24; neutral 0; unit px; help The square's side is 2 * radius + 1.
//! value pixels: whole (2 * radius + 1) * (2 * radius + 1)
//! value share: 1 / pixels
//! value times: whole ceil(262144 / pixels)
//! value small: whole tiles && (radius == 1 || radius == 2)
//! value tiled: whole tiles && radius <= 15 && !small
//! pass columns -> sums double block 4x40 when !tiled && !small
//! pass rows block 64x1 when !tiled && !small
//! pass near tile 128x32 when small
//! pass square tile 128x32 when tiled
//! check cv::blur
#ifdef PASS_columns
// Down a strip: add the row that enters the window and subtract the row that leaves it.
void block(int e, int y) {
  uvec4 sum = uvec4(0u);
  for (int i = -P.radius; i <= P.radius; ++i) sum += at_row(e, y + i);
  for (int k = y; k < min(y + 40, size().y); ++k) {
    put(e, k, sum);
    sum += at_row(e, k + 1 + P.radius) - at_row(e, k - P.radius);
  }
}
#elif defined(PASS_near)
// Windows of 3 and 5 px need no shared memory: a lane's 4 values of 4 rows are 24 words at most.

// Sums along the windows of a word's values: of the first and the third, then of the second and the fourth.
uvec2 along(int e, int y, bool inner) {
  const uint word = inner ? at_free(e, y) : at_edged(e, y);
  const uint before = inner ? at_free(e - 4, y) : at_edged(e - 4, y), behind = inner ? at_free(e + 4, y) : at_edged(e + 4, y);
  const uint even = word & 0xff00ffu, odd = word >> 8 & 0xff00ffu;
  const uint left = before >> 24 | odd << 16, right = even >> 16 | (behind & 0xffu) << 16;  // beside even ones, beside odd ones
  const uvec2 further = uvec2(right + (before >> 16 & 0xffu | even << 16), left + (odd >> 16 | (behind & 0xff00u) << 8));
  return uvec2(left, right) + even + odd + (P.radius == 2 ? further : uvec2(0u));
}

// Of two sums; of at most 25 values the quotient is exact.
uint means(uint sums) {
  const uint half_ = uint(P.pixels / 2), times = uint(P.times);
  return ((sums & 0xffffu) + half_) * times >> 18 | ((sums >> 16) + half_) * times >> 18 << 16;
}

void fourRows(int e, int y, bool inner) {
  uvec2 rows[8];
  [[unroll]] for (int j = 0; j < 8; ++j) rows[j] = along(e, y - 2 + j, inner);
  [[unroll]] for (int k = 0; k < 4; ++k) {
    const uvec2 sum = rows[k + 1] + rows[k + 2] + rows[k + 3] + (P.radius == 2 ? rows[k] + rows[k + 4] : uvec2(0u));
    put_word(e, y + k, means(sum.x) | means(sum.y) << 8);
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
// Both passes in one, in shared memory; all sums are exact in float.
const int kWords = 40, kRow = 165;  // 160 values of a row, and one between 32 of them: no two lanes meet in a bank
shared uint tile_[62 * kWords];     // the block with 16 values at either side, then the output
shared uint downs_[16 * kRow];      // sums of two rows a word
int of(int i) { return i + (i >> 5); }

// Sums down 8 rows of four columns.
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

// The sums of two rows: vec2(v & 0xffffu, v >> 16), which would take longer.
vec2 sumsAt(int row, int x) {
  const uint v = downs_[row * kRow + of(x)];
  return uintBitsToFloat(uvec2(v & 0xffffu, v >> 16) | 0x4b000000u) - 8388608.0;
}

// Means along 8 values of two rows. An extra half count keeps the quotient from falling below its whole number.
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
const int kStep = int(kChannels);  // values from one pixel to the next

// The sums of the windows just before e, from which the next ones follow; grey needs only the last.
uvec4 sumsBefore(int e, int y) {
  uvec4 all = uvec4(0u);
  if (kStep != 1) {
    for (int i = -P.radius; i <= P.radius; ++i) all += sums_any(e - 4 + i * kStep, y);
    return all;
  }
  const int from = e - 1 - P.radius, end = from + 2 * P.radius + 1;
  int x = from;
  for (; x + 4 <= end; x += 4) all += sums_any(x, y);
  all += mix(uvec4(0u), sums_any(x, y), lessThan(ivec4(x, x + 1, x + 2, x + 3), ivec4(end)));
  return uvec4(all.x + all.y + all.z + all.w);
}

uvec4 next(uvec4 before, uvec4 d) {
  uvec4 sum;
  [[unroll]] for (int i = 0; i < 4; ++i) sum[i] = d[i] + (i < kStep ? before[(i + 4 - kStep) % 4] : sum[(i + 4 - kStep) % 4]);
  return sum;
}

// Rounded; corrects the float quotient, which may be off by one.
ivec4 meanOf(uvec4 sum) {
  const ivec4 n = ivec4(sum) + P.pixels / 2;
  const ivec4 q = ivec4(vec4(n) * P.share);
  const ivec4 rest = n - q * P.pixels;
  return q + ivec4(greaterThanEqual(rest, ivec4(P.pixels))) - ivec4(lessThan(rest, ivec4(0)));
}

// Along a row, in the same way.
void block(int e, int y) {
  uvec4 sum = sumsBefore(e, y);
  const int enter = e + P.radius * kStep, leave = e - (P.radius + 1) * kStep;
  const int enters = enter & 3, leaves = leave & 3;
  uvec4 in0 = sums_four(enter - enters, y), out0 = sums_four(leave - leaves, y);
  for (int k = 4; k <= 64; k += 4) {
    const uvec4 in1 = sums_four(enter - enters + k, y), out1 = sums_four(leave - leaves + k, y);
    sum = next(sum, shifted(in0, in1, enters) - shifted(out0, out1, leaves));
    in0 = in1;
    out0 = out1;
    put(e + k - 4, y, uvec4(meanOf(sum)));
  }
}
#endif
