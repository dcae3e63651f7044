//! help Finds spots of one radius: the difference of two Gaussians, at least 0.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 3; range 0.5 to 16; slider 1 to 12; unit px; help Radius of a marker.
//! param gain: default 2; whole; range 1 to 64; slider 1 to 16; help Factor on the difference.
//! value narrow_reach: whole ceil(1.5 * radius)
//! value wide_reach: whole ceil(3 * radius)
//! value narrow_total: 1 + 2 * sum(k, 1, narrow_reach, exp(-2 * k * k / (radius * radius)))
//! value wide_total: 1 + 2 * sum(k, 1, wide_reach, exp(-k * k / (2 * radius * radius)))
//! value narrow_outer: 2 * sum(k, 1, narrow_reach, rnd(65536 * exp(-2 * k * k / (radius * radius)) / narrow_total))
//! value wide_outer: 2 * sum(k, 1, wide_reach, rnd(65536 * exp(-k * k / (2 * radius * radius)) / wide_total))
//! table narrow(i): whole wide_reach + 4: i > narrow_reach ? 0 : i == 0 ? 65536 - narrow_outer :
//!   rnd(65536 * exp(-2 * i * i / (radius * radius)) / narrow_total)
//! table wide(i): whole wide_reach + 4: i > wide_reach ? 0 : i == 0 ? 65536 - wide_outer : rnd(65536 * exp(-i * i / (2 * radius * radius)) / wide_total)
//! pass columns -> middle words block 4x4
//! pass rows block 4x1
//! check the response dog, which is bit for bit the same
#ifdef PASS_columns
// Computes four rows. The values d rows above and d rows below a pixel have the same weight, so they are added first.
// Each turn handles four distances d, so that taps are read rarely and each row of the plane once.
void block(int e, int y) {
  uvec4 low[4], high[4], after[7], before[7];
  [[unroll]] for (int k = 0; k < 4; ++k) {
    const uvec4 v = at_row(e, y + k);
    low[k] = uvec4(1u << (kBits - 1u)) + uint(narrow(0)) * v;
    high[k] = uvec4(1u << (kBits - 1u)) + uint(wide(0)) * v;
    if (k < 3) before[4 + k] = v;
    if (k > 0) after[k - 1] = v;
  }
  for (int far = 0; far < P.wide_reach; far += 4) {
    [[unroll]] for (int i = 0; i < 4; ++i) {
      after[3 + i] = at_row(e, y + far + 4 + i);
      before[i] = at_row(e, y - far - 4 + i);
    }
    [[unroll]] for (int d = 1; d <= 4; ++d) {
      const uint near = uint(narrow(far + d)), tap = uint(wide(far + d));
      [[unroll]] for (int k = 0; k < 4; ++k) {
        const uvec4 both = after[k + d - 1] + before[k + 4 - d];
        low[k] += near * both;
        high[k] += tap * both;
      }
    }
    [[unroll]] for (int k = 0; k < 3; ++k) {
      after[k] = after[k + 4];
      before[6 - k] = before[2 - k];
    }
  }
  [[unroll]] for (int k = 0; k < 4; ++k) put(e, y + k, low[k] >> kBits | high[k] >> kBits << 16);
}
#else
const int kStep = int(kChannels);  // values from one pixel to the next

// Computes four values of a row in the same way. Four pixels are 4 kStep values. The intermediate plane holds both
// Gaussians: the narrow one in the lower half of a word, and the wide one in the upper half.
void block(int e, int y) {
  uvec4 low, high;
  uint after[15], before[15];
  const uvec4 here = middle_four(e, y);
  low = uint(narrow(0)) * (here & 0xffffu);
  high = uint(wide(0)) * (here >> 16);
  [[unroll]] for (int i = 0; i < 3; ++i) {
    before[4 * kStep + i] = here[i];
    after[i] = here[i + 1];
  }
  for (int far = 0; far < P.wide_reach; far += 4) {
    [[unroll]] for (int k = 0; k < 4 * kStep; k += 4) {
      const uvec4 right = middle_four(e + far * kStep + 4 + k, y), left = middle_four(e - (far + 4) * kStep + k, y);
      [[unroll]] for (int i = 0; i < 4; ++i) {
        after[3 + k + i] = right[i];
        before[k + i] = left[i];
      }
    }
    [[unroll]] for (int d = 1; d <= 4; ++d) {
      const uint near = uint(narrow(far + d)), tap = uint(wide(far + d));
      [[unroll]] for (int k = 0; k < 4; ++k) {
        const uint right = after[k + d * kStep - 1], left = before[k + (4 - d) * kStep];
        low[k] += near * ((right & 0xffffu) + (left & 0xffffu));
        high[k] += tap * ((right >> 16) + (left >> 16));
      }
    }
    [[unroll]] for (int k = 0; k < 3; ++k) {
      after[k] = after[k + 4 * kStep];
      before[4 * kStep + 2 - k] = before[2 - k];
    }
  }
  const uint fraction = 32u - kBits, gain = uint(P.gain), most = (kFull << fraction) / gain;
  const uvec4 v = min(low - min(low, high), uvec4(most)) * gain;
  put(e, y, (v + (1u << (fraction - 1u))) >> fraction);
}
#endif
