// Passes down the columns and along the rows that several filters share. A filter defines one of these macros to get
// the function block() of that pass:
//
// SUMS_OF_COLUMNS: writes the sums of 2 P.radius + 1 values above each other, in blocks of 4x40.
// MEANS_OF_ROWS(e, y, mean): reads these sums from the plane `sums` and computes the means of whole squares, in blocks
// of 64x1. The macro returns the output for four means (ivec4), the first of which is at place e of row y.
// WEIGHED_COLUMNS: writes sums down the columns, weighted by taps(0), taps(1) and so on up to a distance of P.reach, in
// blocks of 4x8.
// WEIGHED_ROWS: reads these sums from the plane `middle`, and writes the same sums along the rows, rounded, in blocks
// of 8x1.
#if defined(SUMS_OF_COLUMNS)
// Walks down a strip, and adds the row that enters the window and subtracts the row that leaves it.
void block(int e, int y) {
  uvec4 sum = uvec4(0u);
  for (int i = -P.radius; i <= P.radius; ++i) sum += at_row(e, y + i);
  for (int k = y; k < min(y + 40, size().y); ++k) {
    put(e, k, sum);
    sum += at_row(e, k + 1 + P.radius) - at_row(e, k - P.radius);
  }
}
#elif defined(MEANS_OF_ROWS)
const int kStep = int(kChannels);  // values from one pixel to the next

// Returns the sums of the windows of the four values before e, from which those of the next ones are computed. For grey
// images only the last one matters.
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

// Returns the sums of the next four windows. `d` is how much each differs from the window one pixel before it.
uvec4 next(uvec4 before, uvec4 d) {
  uvec4 sum;
  [[unroll]] for (int i = 0; i < 4; ++i) sum[i] = d[i] + (i < kStep ? before[(i + 4 - kStep) % 4] : sum[(i + 4 - kStep) % 4]);
  return sum;
}

// Returns the rounded means. It corrects the quotient of floats, which may be off by one.
ivec4 meanOf(uvec4 sum) {
  const ivec4 n = ivec4(sum) + P.pixels / 2;
  const ivec4 q = ivec4(vec4(n) * P.share);
  const ivec4 rest = n - q * P.pixels;
  return q + ivec4(greaterThanEqual(rest, ivec4(P.pixels))) - ivec4(lessThan(rest, ivec4(0)));
}

// Walks along a row, and adds the sums that enter the window and subtracts those that leave it.
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
    put(e + k - 4, y, MEANS_OF_ROWS(e + k - 4, y, meanOf(sum)));
  }
}
#elif defined(WEIGHED_COLUMNS)
// Computes eight rows. The values d rows above and d rows below a pixel have the same weight, so they are added first.
// Each turn handles four distances d, so that taps are read rarely and each row of the plane once.
void block(int e, int y) {
  uvec4 sum[8], after[11], before[11];
  [[unroll]] for (int k = 0; k < 8; ++k) {
    const uvec4 v = at_row(e, y + k);
    sum[k] = uvec4(1u << (kBits - 1u)) + uint(taps(0)) * v;
    if (k < 7) before[4 + k] = v;
    if (k > 0) after[k - 1] = v;
  }
  for (int far = 0; far < P.reach; far += 4) {
    [[unroll]] for (int i = 0; i < 4; ++i) {
      after[7 + i] = at_row(e, y + far + 8 + i);
      before[i] = at_row(e, y - far - 4 + i);
    }
    [[unroll]] for (int d = 1; d <= 4; ++d) {
      const uint tap = uint(taps(far + d));
      [[unroll]] for (int k = 0; k < 8; ++k) sum[k] += tap * (after[k + d - 1] + before[k + 4 - d]);
    }
    [[unroll]] for (int k = 0; k < 7; ++k) {
      after[k] = after[k + 4];
      before[10 - k] = before[6 - k];
    }
  }
  [[unroll]] for (int k = 0; k < 8; ++k) put(e, y + k, sum[k] >> kBits);  // 8-bit values keep 8 bits of fraction
}
#elif defined(WEIGHED_ROWS)
const int kStep = int(kChannels);  // values from one pixel to the next

// Computes eight values of a row in the same way. Four pixels are 4 kStep values.
void block(int e, int y) {
  uint sum[8], after[20], before[20];
  [[unroll]] for (int k = 0; k < 8; k += 4) {
    const uvec4 v = middle_four(e + k, y);
    [[unroll]] for (int i = 0; i < 4; ++i) {
      sum[k + i] = uint(taps(0)) * v[i];
      if (k + i < 7) before[4 * kStep + k + i] = v[i];
      if (k + i > 0) after[k + i - 1] = v[i];
    }
  }
  for (int far = 0; far < P.reach; far += 4) {
    [[unroll]] for (int k = 0; k < 4 * kStep; k += 4) {
      const uvec4 right = middle_four(e + far * kStep + 8 + k, y), left = middle_four(e - (far + 4) * kStep + k, y);
      [[unroll]] for (int i = 0; i < 4; ++i) {
        after[7 + k + i] = right[i];
        before[k + i] = left[i];
      }
    }
    [[unroll]] for (int d = 1; d <= 4; ++d) {
      const uint tap = uint(taps(far + d));
      [[unroll]] for (int k = 0; k < 8; ++k) sum[k] += tap * (after[k + d * kStep - 1] + before[k + (4 - d) * kStep]);
    }
    [[unroll]] for (int k = 0; k < 7; ++k) {
      after[k] = after[k + 4 * kStep];
      before[4 * kStep + 6 - k] = before[6 - k];
    }
  }
  const uint fraction = 32u - kBits, half_ = 1u << (fraction - 1u);
  [[unroll]] for (int k = 0; k < 8; k += 4)
    put(e + k, y, (uvec4(sum[k], sum[k + 1], sum[k + 2], sum[k + 3]) + half_) >> fraction);
}
#endif
