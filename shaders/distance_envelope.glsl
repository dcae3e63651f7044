// Computes the distances along one column exactly, with one invocation per column. Each site (distance_column.glsl)
// gives a parabola over the rows, and the distances are the lower envelope of all parabolas (Felzenszwalb and
// Huttenlocher, Theory of Computing 2012; Meijster, Roerdink and Hesselink 2000). A first walk over the rows finds the
// sites whose parabolas are part of the envelope. A second walk evaluates them.
//
// The sites of the envelope form a list, in which each site is linked to an earlier one. The link of a site is stored
// at its own row (as in Cao, Tang, Mohamed and Tan, I3D 2010), so neighbouring columns access neighbouring words. The
// last two sites of the list are kept in registers, so that a removal need not wait for memory.
//
// The first row where a site is better than the earlier one is estimated with floats. Then the estimate is corrected
// by comparing the two sites at the rows beside it. So it is exact for integers, and the same on every device for
// floats.
//
// Include this file after distance_column.glsl, and after declaring a buffer `links` and defining linkPlace() and
// put().

const uint kAhead = 4u;  // rows whose values are read together, before they are needed

// A site of the envelope.
struct Site {
  uint row;    // kNoSite: there is no site
  uint value;  // see siteValue()
  uint link;   // row of the earlier site << 16 | first row where this site is the best
};

uint readLink(uint row) {
  if (kShared != 0) return columnMemory[row * kLanes + gl_LocalInvocationID.x];
  return links[linkPlace(row)];
}

void writeLink(uint row, uint link) {
  if (kShared != 0) {
    columnMemory[row * kLanes + gl_LocalInvocationID.x] = link;
  } else {
    links[linkPlace(row)] = link;
  }
}

Site siteAt(uint row) {
  if (row == kNoSite) return Site(kNoSite, 0, 0);
  return Site(row, siteValue(row), readLink(row));
}

// Returns the last row in which the later of two sites is not better than the earlier one, for integer values. The
// later site, given by `row` and `value`, is better beyond (value - early.value + row^2 - early.row^2) /
// (2 (row - early.row)). A result of -1 or less means that the later site is better in all rows, and `length` or more
// that it is better in none.
int lastNotBetterOfIntegers(Site early, uint row, uint value, int length) {
  const int apart = int(row - early.row);
  const int sum = int(value) - int(early.value) + apart * int(row + early.row);
  const int twice = 2 * apart;
  const int i = int(floor(clamp(float(sum) / float(twice), -1.0, float(length))));
  const int rest = sum - i * twice;
  return i + int(rest >= twice) - int(rest < 0);
}

// Returns true if the later of two sites is better at row i, for float values. At a tie it is not.
bool isBetter(Site early, uint row, uint value, int i) {
  const int k = int(row - early.row) * (int(row + early.row) - 2 * i);
  precise const float gain = uintBitsToFloat(value) - uintBitsToFloat(early.value);
  precise const float cost = params.along * float(k);
  return gain < -cost;
}

// Returns the same as lastNotBetterOfIntegers() for float values.
int lastNotBetterOfFloats(Site early, uint row, uint value, int length) {
  const float gain = uintBitsToFloat(value) - uintBitsToFloat(early.value);
  const float middle =
      0.5 * (float(row + early.row) + gain * params.inverse / float(row - early.row));
  const int i = int(floor(clamp(middle, -1.0, float(length))));
  if (i >= 0 && isBetter(early, row, value, i)) return i - 1;
  return i < length && !isBetter(early, row, value, i + 1) ? i + 1 : i;
}

// Returns the first row in which the later of two sites is better, or `length` or more if it is better in none.
uint firstBetter(Site early, uint row, uint value, uint length) {
  if (early.row == kNoSite) return 0;
  const int last = kFloat == 0 ? lastNotBetterOfIntegers(early, row, value, int(length))
                               : lastNotBetterOfFloats(early, row, value, int(length));
  return uint(max(last + 1, 0));
}

// Returns the squared distance that a site contributes to row i.
uint costAt(Site site, uint i) {
  const int d = int(i) - int(site.row);
  if (kFloat == 0) return site.value + uint(d * d);
  precise const float far = params.along * float(d * d);
  precise const float sum = uintBitsToFloat(site.value) + far;
  return floatBitsToUint(sum);
}

// Adds the site in `row` to the list, and removes those sites at its end whose parabolas the new one hides. The rare
// work is done in loops instead of branches, because llvmpipe skips a loop that no lane enters.
void addSite(uint row, uint value, uint length, inout Site last, inout Site second) {
  uint start = firstBetter(last, row, value, length);
  while (last.row != kNoSite && start <= (last.link & 0xffffu)) {
    last = second;
    second = siteAt(last.row == kNoSite ? kNoSite : last.link >> 16);
    start = firstBetter(last, row, value, length);
  }
  if (start >= length) return;
  second = last;
  last = Site(row, value, second.row << 16 | start);
  writeLink(row, last.link);
}

void transformColumn(uint length) {
  Site last = Site(kNoSite, 0, 0);
  Site second = last;
  for (uint row = 0; row < length; row += kAhead) {
    uint ahead[kAhead];
    [[unroll]] for (uint k = 0; k < kAhead; ++k)
      ahead[k] = row + k < length ? siteValue(row + k) : kNoDistance;
    [[unroll]] for (uint k = 0; k < kAhead; ++k) {
      if (ahead[k] != kNoDistance)
        addSite(row + k, ahead[k], length, last, second);
    }
  }
  // Every site of the list has a different first row. So from one row to the next, at most one site is passed.
  for (uint row = length; row-- > 0;) {
    while (last.row != kNoSite && (last.link & 0xffffu) > row) {
      last = second;
      second = siteAt(last.link >> 16);
    }
    put(row, last.row == kNoSite ? kNoDistance : costAt(last, row), last.row);
  }
}
