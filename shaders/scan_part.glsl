// The statistics of one column of loads, which one invocation of `scan` or `statistics` computes, and their
// combination over the workgroup. Include this file after declaring `plane`, `params`, `mask`, kMasked, kSeek and
// listCandidates().
//
// A pixel counts if it lies in the image and is not masked. On GPUs that can add and compare the four bytes of a word
// at once, the kernels are compiled with BYTES_AT_ONCE.

// The statistics of some pixels.
struct Part {
  uvec3 sums;  // sums of the values, and of the lower and of the upper 16 bits of their squares
  uint least, leastIndex, most, mostIndex;  // extrema, and indices of their loads: row * loads per row + column
};

shared Part perSubgroup[kGroup];

// Reads the load of a layer that stands in column `at.x` of loads and in row `at.y`.
uvec4 loadAt(uint layer, uvec2 at) {
  return loadOf(plane, (layer * params.plane.layerStride + at.y * params.plane.pitch) / 4 + at.x);
}

// Returns a bit for each pixel of a load: 1 if the pixel counts.
uint keepOf(uint layer, uvec2 at) {
  const uint inside = insideBits(params.plane.width, at.x);
  if (kMasked == 0) return inside;
  return inside & maskBits(params.maskPitch, params.plane.height, layer, at.x * kPerLoad, at.y);
}

// The statistics that an invocation gathers while it walks down its rows. An extremum and its row form one number, so
// that a plain min() or max() keeps both, and of equal extrema the upper one.
const uint kRowBits = 8u;
const uint kLastRow = (1u << kRowBits) - 1;
struct Seen {
  uvec3 sums;  // as in Part
  uint least;  // value << kRowBits | row; kNoIndex: no pixel yet
  uint most;   // (1 << 16 | value) << kRowBits | (kLastRow - row); 0: no pixel yet
};

// Adds the pixels of a word to the sums and extrema. Pixels that do not count must be 0 in `low`, which is used for
// sums and maxima, and full scale in `high`, which is used for minima.
void addWord(uint low, uint high, inout uvec3 sums, inout uint most, inout uint least) {
  if (kBits == 8) {
    const uint even = low & 0x00ff00ffu;
    const uint odd = low >> 8 & 0x00ff00ffu;
    sums.x += even + odd;  // two sums of 16 bits each; `scanLoad` adds them up
    const uvec4 v = uvec4(even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16);
    sums.y += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;  // below 2^32 for 65,536 pixels
    most = max(most, max(max(v.x, v.y), max(v.z, v.w)));
    const uvec4 h = uvec4(high, high >> 8, high >> 16, high >> 24) & 0xffu;
    least = min(least, min(min(h.x, h.y), min(h.z, h.w)));
  } else {
    const uvec2 v = uvec2(low & 0xffffu, low >> 16);
    const uvec2 square = v * v;
    sums += uvec3(v.x + v.y, (square.x & 0xffffu) + (square.y & 0xffffu),
                  (square.x >> 16) + (square.y >> 16));
    most = max(most, max(v.x, v.y));
    least = min(least, min(high & 0xffffu, high >> 16));
  }
}

#ifdef BYTES_AT_ONCE
// Returns the dot product of the four bytes of `a` and of `b`. This is the instruction OpUDotKHR with the packed
// format 0, for which glslang has no name yet.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4451)
uint dotOfBytes(uint a, uint b, spirv_literal int format);

// Returns the two even bytes of a word as the half-precision numbers 1024 + value. These are exact, and their lowest
// bytes are the values.
f16vec2 halvesOf(uint word) { return unpackFloat2x16(word & 0x00ff00ffu | 0x64006400u); }

// Does for all four words of a load of bytes what addWord() does for one word.
void addBytes(uvec4 low, uvec4 high, inout uvec3 sums, inout uint most, inout uint least) {
  f16vec2 upper = halvesOf(0), lower = halvesOf(~0u);
  for (uint i = 0; i < 4; ++i) {
    sums.x += dotOfBytes(low[i], 0x01010101u, 0);
    sums.y += dotOfBytes(low[i], low[i], 0);
    upper = max(upper, max(halvesOf(low[i]), halvesOf(low[i] >> 8)));
    lower = min(lower, min(halvesOf(high[i]), halvesOf(high[i] >> 8)));
  }
  const uint both = packFloat2x16(f16vec2(max(upper.x, upper.y), min(lower.x, lower.y)));
  most = both & 0xffu;
  least = both >> 16 & 0xffu;
}
const bool kAtOnce = kBits == 8;
#else
const bool kAtOnce = false;
void addBytes(uvec4 low, uvec4 high, inout uvec3 sums, inout uint most, inout uint least) {}
#endif

// Adds a load in the given row to `seen`. `keep` has all bits set in the pixels that count. Returns the greatest value
// that counts, or 0.
uint scanLoad(uvec4 load, uvec4 keep, uint row, inout Seen seen) {
  uvec3 sums = uvec3(0);
  uint most = 0;
  uint least = kFull;
  if (kAtOnce) addBytes(load & keep, load | ~keep, sums, most, least);
  for (uint i = 0; i < (kAtOnce ? 0 : 4); ++i) addWord(load[i] & keep[i], load[i] | ~keep[i], sums, most, least);
  if (kBits == 8 && !kAtOnce) sums.x = (sums.x & 0xffffu) + (sums.x >> 16);
  seen.sums += sums;
  if (keep != uvec4(0)) {
    seen.most = max(seen.most, (1u << 16 | most) << kRowBits | (kLastRow - row));
    seen.least = min(seen.least, least << kRowBits | row);
  }
  return most;
}

// Returns the statistics of `rows` loads, at most 256, one below the other from the load `first` on. If kSeek is 1, it
// lists their candidates. `columns` is the number of loads per row.
Part ofColumn(uint layer, uvec2 first, uint columns, uint rows, uint threshold, uint prominence) {
  const uint keep = keepOf(layer, first);
  const bool whole = kMasked == 0 && keep == ~0u;
  Seen seen = Seen(uvec3(0), kNoIndex, 0);
  for (uint from = 0; from < rows; from += 32) {
    const uint to = min(from + 32, rows);
    uint bright = 0;
    uint next_ = from;
#ifdef LOADS_FOR_CPUS
    for (; next_ + 4 <= (whole ? to : from); next_ += 4) {
      const uvec2 at = first + uvec2(0, next_);
      const uvec4 a = loadAt(layer, at), b = loadAt(layer, at + uvec2(0, 1));
      const uvec4 c = loadAt(layer, at + uvec2(0, 2)), d = loadAt(layer, at + uvec2(0, 3));
      uint four = uint(scanLoad(a, uvec4(~0u), next_, seen) >= threshold);
      four |= uint(scanLoad(b, uvec4(~0u), next_ + 1, seen) >= threshold) << 1;
      four |= uint(scanLoad(c, uvec4(~0u), next_ + 2, seen) >= threshold) << 2;
      four |= uint(scanLoad(d, uvec4(~0u), next_ + 3, seen) >= threshold) << 3;
      bright |= four << (next_ - from);
    }
#endif
    for (uint i = next_; i < (whole ? to : from); ++i) {
      const uint most = scanLoad(loadAt(layer, first + uvec2(0, i)), uvec4(~0u), i, seen);
      bright |= uint(most >= threshold) << (i - from);
    }
    for (uint i = whole ? to : from; i < to; ++i) {
      const uvec2 at = first + uvec2(0, i);
      const uint most =
          scanLoad(loadAt(layer, at), spread(kMasked != 0 ? keepOf(layer, at) : keep), i, seen);
      bright |= uint(most >= threshold) << (i - from);
    }
    while (kSeek != 0 && bright != 0) {
      listCandidates(layer, first + uvec2(0, from + uint(findLSB(bright))), threshold, prominence);
      bright &= bright - 1;
    }
  }
  Part part = Part(seen.sums, kNoIndex, kNoIndex, 0, kNoIndex);
  if (seen.most != 0) {
    const uint origin = first.y * columns + first.x;
    part.least = seen.least >> kRowBits;
    part.leastIndex = origin + (seen.least & kLastRow) * columns;
    part.most = seen.most >> kRowBits & 0xffffu;
    part.mostIndex = origin + (kLastRow - (seen.most & kLastRow)) * columns;
  }
  return part;
}

Part subgroupCombine(Part v) {
  Part r;
  r.sums = subgroupAdd(v.sums);
  r.least = subgroupMin(v.least);
  r.leastIndex = subgroupMin(v.least == r.least ? v.leastIndex : kNoIndex);
  r.most = subgroupMax(v.most);
  r.mostIndex = subgroupMin(v.most == r.most ? v.mostIndex : kNoIndex);
  return r;
}

PlaneStatistics widen(Part v) {
  const Wide squares = kBits == 8 ? Wide(v.sums.y, 0) : fromHalves(v.sums.y, v.sums.z);
  return PlaneStatistics(v.sums.x, 0, squares.low, squares.high, v.least, v.leastIndex, v.most,
                         v.mostIndex);
}

Part noPart() {
  return Part(uvec3(0), kNoIndex, kNoIndex, 0, kNoIndex);
}

// Returns the statistics of the workgroup, after a barrier behind which every subgroup has written its part to
// `perSubgroup`.
PlaneStatistics ofSubgroups() {
  PlaneStatistics whole = widen(perSubgroup[0]);
  for (uint i = 1; i < gl_NumSubgroups; ++i) whole = combine(whole, widen(perSubgroup[i]));
  return whole;
}
