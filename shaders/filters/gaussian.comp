//! help Blurs with a Gaussian.
//! feeds response
//! planes grey colour
//! border replicate
//! param sigma: default 2; range 0.1 to 20; slider 0.3 to 8; neutral 0.1; unit px; help Standard deviation of the Gaussian.
//! value reach: whole ceil(3 * sigma)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * sigma * sigma)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * sigma * sigma)) / total))
//! table taps(i): whole reach + 4: i > reach ? 0 : i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * sigma * sigma)) / total)
//! value tiled: whole tiles && reach <= 16
//! pass square tile 128x32 when tiled
//! pass columns -> middle double block 4x8 when !tiled
//! pass rows block 8x1 when !tiled
//! check the response blur, which is bit for bit the same
#if defined(PASS_square)
// Columns and rows in one pass, in shared memory: first down the columns, then along the rows. Both use the same code,
// because rows and columns are exchanged in between.
const int kWords = 40, kTurned = 164;
shared uint tile_[64 * kWords];     // the block with 16 more values around it; later the output
// The sums of the columns, those of two rows in a word. An unused word follows every 32 words, so that no two lanes
// access the same memory bank.
shared uint turned_[16 * kTurned];
// Returns the place of the i-th sum in turned_, behind the unused words.
int of(int i) { return i + (i >> 5); }

// Returns the i-th values of four lines that lie side by side: four columns of word `line` in tile_, or, if `across`,
// four rows of turned_.
uvec4 read_(bool across, int line, int i) {
  if (!across) return bytes_(tile_[i * kWords + line]);
  const int at_ = 2 * line * kTurned + of(i);
  return halves_(turned_[at_], turned_[at_ + kTurned]);
}

// Computes eight weighted sums in a line, for four lines at once. The values d before and d after have the same weight,
// so they are added first. Each turn handles four distances d.
void weigh(bool across, int line, int from, out uvec4 sum[8]) {
  uvec4 after[11], before[11];
  [[unroll]] for (int k = 0; k < 8; ++k) {
    const uvec4 v = read_(across, line, from + k);
    sum[k] = uvec4(across ? 1u << 23 : 1u << 7) + uint(taps(0)) * v;
    if (k < 7) before[4 + k] = v;
    if (k > 0) after[k - 1] = v;
  }
  for (int far = 0; far < P.reach; far += 4) {
    [[unroll]] for (int i = 0; i < 4; ++i) {
      after[7 + i] = read_(across, line, from + far + 8 + i);
      before[i] = read_(across, line, from - far - 4 + i);
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
}

void tile(int e, int y) {
  const int reach = (P.reach + 3) / 4 * 4;
  LOAD_TILE(in_, e - 16, y - reach, kWords, 32 + 2 * reach)
  uvec4 sum[8];
  if (lane < 4 * kWords) {
    const int w = lane % kWords, group = lane / kWords * 8;
    weigh(false, w, reach + group, sum);
    [[unroll]] for (int k = 0; k < 8; k += 2) {
      const uvec4 two = sum[k] >> 8 | (sum[k + 1] >> 8) << 16;
      [[unroll]] for (int c = 0; c < 4; ++c) turned_[(group + k) / 2 * kTurned + of(4 * w) + c] = two[c];
    }
  }
  barrier();
  if (lane < 128) {
    const int group = lane / 16, x = lane % 16 * 8;
    weigh(true, group, 16 + x, sum);
    [[unroll]] for (int h = 0; h < 8; h += 4) {
      uvec4 word = uvec4(0u);  // one word of each of four rows
      [[unroll]] for (int k = 0; k < 4; ++k) word |= (sum[h + k] >> 24) << (8 * k);
      [[unroll]] for (int j = 0; j < 4; ++j) tile_[(4 * group + j) * 33 + (x + h) / 4] = word[j];
    }
  }
  barrier();
  for (int i = lane; i < 32 * 32; i += kLanes) put_word(e + i % 32 * 4, y + i / 32, tile_[i / 32 * 33 + i % 32]);
}
#elif defined(PASS_columns)
#define WEIGHED_COLUMNS
#else
#define WEIGHED_ROWS
#endif
