//! help Blurs but keeps edges: a mean over a disc, in which similar pixels weigh more.
//! feeds response
//! planes grey colour
//! border mirror
//! param sigma_space: default 3; range 0.1 to 21; slider 0.5 to 10; unit px; help Standard deviation of the weight over distance.
//! param sigma_range: default 0.1; range 0.001 to 1; slider 0.01 to 0.5; unit of full scale; help
//!   Standard deviation of the weight over difference in value.
//! param radius: default 0; whole; range 0 to 32; slider 0 to 10; unit px; help Radius of the disc; 0: 1.5 times sigma_space.
//! value reach: whole radius > 0 ? radius : max(1, rint(1.5 * sigma_space))
//! value drop: whole bits == 16 ? 4 : 0
//! value unit: bits == 16 ? 16 : 1
//! value spread: sigma_range * full
//! table near(i): whole reach * reach + 1: rnd(4095 * exp(-i / (2 * sigma_space * sigma_space)))
//! table alike(i): whole floor(channels * full / unit) + 1:
//!   rnd(4095 * exp(-pow(i > 0 && unit > 1 ? unit * i + unit / 2 : i, 2) / (2 * spread * spread)))
//! value tiled: whole tiles && reach <= 5
//! pass small tile 128x16 when tiled
//! pass grey block 4x1 when channels == 1 && !tiled
//! pass colour when channels > 1
//! check cv::bilateralFilter: within one count
#if defined(PASS_small)
// For a reach of at most 5 px and grey images of 8 bits: pixels and weights are kept in shared memory. The sums over
// a row of the disc are exact in float.
const int kWords = 36;
shared uint tile_[26 * kWords];   // the block with 8 more values on either side and 5 more rows above and below
shared float weights_[14 * 511];  // 511 weights for the differences -255 to 255, for each of 14 squared distances
// The number in weights_ of each squared distance from 0 to 25 (-1: no pixel has it), and the squared distances.
const int kClass[26] = {0, 1, 2, -1, 3, 4, -1, -1, 5, 6, 7, -1, -1, 8, -1, -1, 9, 10, 11, -1, 12, -1, -1, -1, -1, 13};
const int kSquare[14] = {0, 1, 2, 4, 5, 8, 9, 10, 13, 16, 17, 18, 20, 25};

// Filters the four values of word w in a row of the tile, and writes them to e and y.
void four(int w, int row, int e, int y) {
  const ivec4 middle = ivec4(bytes_(tile_[(row + 5) * kWords + w]));
  uvec4 low = uvec4(0u), all = uvec4(0u);
  const ivec4 from = 255 - middle;
  [[unroll]] for (int j = -5; j <= 5; ++j) {
    ivec4 v[5];  // 20 values, which begin 8 before the middle ones
    vec4 f[5];
    [[unroll]] for (int k = 0; k < 5; ++k) {
      const uvec4 b = bytes_(tile_[(row + 5 + j) * kWords + w - 2 + k]);
      v[k] = ivec4(b);
      f[k] = uintBitsToFloat(b | 0x4b000000u) - 8388608.0;  // the same as float(b), but faster
    }
    vec4 sum = vec4(0.0), weight = vec4(0.0);
    [[unroll]] for (int i = -5; i <= 5; ++i) {
      if (i * i + j * j > 25) continue;
      [[unroll]] for (int n = 0; n < 4; ++n) {
        const int at_ = 8 + n + i;
        const float own = weights_[kClass[i * i + j * j] * 511 + v[at_ / 4][at_ % 4] + from[n]];
        weight[n] += own;
        sum[n] += own * f[at_ / 4][at_ % 4];
      }
    }
    low += uvec4(sum);
    all += uvec4(weight);
  }
  low += all >> 1;
  uvec4 q = uvec4(vec4(low) / vec4(all));  // may be off by one, which the next lines correct
  const ivec4 rest = ivec4(low - q * all);
  q += uvec4(greaterThanEqual(rest, ivec4(all))) - uvec4(lessThan(rest, ivec4(0)));
  put_word(e, y, q.x | q.y << 8 | q.z << 16 | q.w << 24);
}

void tile(int e, int y) {
  const uint like = uint(alike(lane));
  [[unroll]] for (int i = 0; i < 14; ++i) {
    const bool beyond = kSquare[i] > P.reach * P.reach;
    const float own = beyond ? 0.0 : float((uint(near(beyond ? 0 : kSquare[i])) * like + 2048u) >> 12);
    weights_[i * 511 + 255 + lane] = own;
    weights_[i * 511 + 255 - lane] = own;
  }
  LOAD_TILE(in_, e - 8, y - 5, kWords, 26)
  for (int i = lane; i < 32 * 16; i += kLanes) four(i % 32 + 2, i / 32, e + i % 32 * 4, y + i / 32);
}
#elif defined(PASS_grey)
// Filters four grey pixels at once. Sums have 64 bits: `low` and `high`.
void block(int e, int y) {
  const uvec4 middle = at_four(e, y);
  uvec4 low = uvec4(0u), high = uvec4(0u), all = uvec4(0u), carry;
  for (int j = -P.reach; j <= P.reach; ++j) {
    for (int i = -P.reach; i <= P.reach; ++i) {
      const int apart = i * i + j * j;
      if (apart > P.reach * P.reach) continue;
      const uvec4 v = at_any(e + i, y + j);
      const uvec4 d = (max(v, middle) - min(v, middle)) >> P.drop;
      const uvec4 tones = uvec4(alike(int(d.x)), alike(int(d.y)), alike(int(d.z)), alike(int(d.w)));
      const uvec4 w = (uint(near(apart)) * tones + 2048u) >> 12;
      all += w;
      low = uaddCarry(low, w * v, carry);
      high += carry;
    }
  }
  low = uaddCarry(low, all >> 1, carry);
  high += carry;
  uvec4 q = uvec4(0u);
  if (kBits == 8u) {  // the sum has 32 bits; the quotient of floats may be off by one
    q = uvec4(vec4(low) / vec4(all));
    const ivec4 rest = ivec4(low - q * all);
    q += uvec4(greaterThanEqual(rest, ivec4(all))) - uvec4(lessThan(rest, ivec4(0)));
  } else {  // finds the quotient bit by bit
    for (uint bit = 1u << (kBits - 1u); bit != 0u; bit >>= 1) {
      uvec4 h, l;
      umulExtended(all, q | bit, h, l);
      const uvec4 below = uvec4(lessThan(h, high)) | (uvec4(equal(h, high)) & uvec4(lessThanEqual(l, low)));
      q |= below * bit;
    }
  }
  put(e, y, q);
}
#else
uint distance_(ivec2 p, ivec2 q) {
  uint d = 0u;
  [[unroll]] for (int c = 0; c < int(kChannels); ++c) {
    const uint a = at(p, c), b = at(q, c);
    d += max(a, b) - min(a, b);
  }
  return d;
}

uint value(ivec2 p, int c) {
  uint low = 0u, high = 0u, all = 0u, carry = 0u;
  for (int j = -P.reach; j <= P.reach; ++j) {
    for (int i = -P.reach; i <= P.reach; ++i) {
      const int apart = i * i + j * j;
      if (apart > P.reach * P.reach) continue;
      const ivec2 q = inside_(p + ivec2(i, j));
      const uint w = (uint(near(apart)) * uint(alike(int(distance_(p, q) >> P.drop))) + 2048u) >> 12;
      all += w;
      low = uaddCarry(low, w * at(q, c), carry);
      high += carry;
    }
  }
  low = uaddCarry(low, all >> 1, carry);
  high += carry;
  // Finds the quotient bit by bit.
  uint q = 0u;
  for (uint bit = 1u << (kBits - 1u); bit != 0u; bit >>= 1) {
    uint h, l;
    umulExtended(all, q | bit, h, l);
    if (h < high || (h == high && l <= low)) q |= bit;
  }
  return q;
}
#endif
