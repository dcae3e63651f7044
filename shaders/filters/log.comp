//! help Finds spots of one size: minus the Laplacian of a Gaussian, at least 0.
//! feeds response
//! planes grey colour
//! border replicate
//! param sigma: default 2; range 0.1 to 20; slider 0.5 to 8; unit px; help Best is the marker's radius divided by 1.4.
//! param gain: default 4; whole; range 1 to 64; slider 1 to 16; help Factor on the Laplacian.
//! value reach: whole ceil(3 * sigma)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * sigma * sigma)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * sigma * sigma)) / total))
//! table taps(i): whole reach + 4: i > reach ? 0 : i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * sigma * sigma)) / total)
//! pass columns -> middle double block 4x8
//! pass rows -> blurred block 8x1
//! pass laplace block 4x1
//! check cv::Laplacian of the filter gaussian
#if defined(PASS_columns)
// Eight rows. Values d above and d below are added, then weighed; four d in turn, so that each tap is
// read rarely and each row of the plane once.
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
#elif defined(PASS_rows)
const int kStep = int(kChannels);  // values from one pixel to the next

// Eight values, in the same way; four pixels are 4 kStep values.
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
#else
// Four values; their neighbours on either side come four at a time.
void block(int e, int y) {
  const int step = int(kChannels);
  const uvec4 corners = blurred_any(e - step, y - 1) + blurred_any(e + step, y - 1) +
                        blurred_any(e - step, y + 1) + blurred_any(e + step, y + 1);
  const ivec4 laplacian = 2 * ivec4(corners) - 8 * ivec4(blurred_four(e, y));
  put(e, y, uvec4(clamp((4 - P.gain * laplacian) >> 3, 0, int(kFull))));
}
#endif
