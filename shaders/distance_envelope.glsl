// Distances along one column, exactly: the lower envelope of one parabola a voxel (Felzenszwalb and
// Huttenlocher, Theory of Computing 2012; Meijster, Roerdink and Hesselink 2000). Site v, whose
// squared distance in the dimensions done before is f, contributes f + along * (i - v)^2 at row i.
//
// Sites of the envelope are a list, later to earlier: what belongs to a site stands at its own row
// (as in Cao, Tang, Mohamed and Tan, I3D 2010), so neighbouring columns touch neighbouring words. The last
// two sites of the list are kept in registers, so that a load is not waited for at once.
//
// Where a site begins to be better than the one before it is estimated with floats and put right by the very
// comparison that it stands for: of integers exact, of floats the same on every device.
//
// Include after distance_column.glsl, having declared a buffer `links` and defined linkPlace() and put().

const uint kAhead = 4u;  // values that are read at once

struct Site {
  uint row;    // kNoSite: none
  uint value;
  uint link;   // the site before it << 16 | first row where it is the best
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

// The last row where the later of two sites is not better, of integers: it is better beyond
// (gain + row^2 - early^2) / (2 (row - early)). -1 or less: nowhere; `length` or more: everywhere.
int lastNotBetterOfIntegers(Site early, uint row, uint value, int length) {
  const int apart = int(row - early.row);
  const int sum = int(value) - int(early.value) + apart * int(row + early.row);
  const int twice = 2 * apart;
  const int i = int(floor(clamp(float(sum) / float(twice), -1.0, float(length))));
  const int rest = sum - i * twice;
  return i + int(rest >= twice) - int(rest < 0);
}

// Whether the later of two sites is better at row i, of floats. At a tie it is not.
bool isBetter(Site early, uint row, uint value, int i) {
  const int k = int(row - early.row) * (int(row + early.row) - 2 * i);
  precise const float gain = uintBitsToFloat(value) - uintBitsToFloat(early.value);
  precise const float cost = params.along * float(k);
  return gain < -cost;
}

int lastNotBetterOfFloats(Site early, uint row, uint value, int length) {
  const float gain = uintBitsToFloat(value) - uintBitsToFloat(early.value);
  const float middle =
      0.5 * (float(row + early.row) + gain * params.inverse / float(row - early.row));
  const int i = int(floor(clamp(middle, -1.0, float(length))));
  if (i >= 0 && isBetter(early, row, value, i)) return i - 1;
  return i < length && !isBetter(early, row, value, i + 1) ? i + 1 : i;
}

// The first row where the later of two sites is better; `length` or more if there is none.
uint firstBetter(Site early, uint row, uint value, uint length) {
  if (early.row == kNoSite) return 0;
  const int last = kFloat == 0 ? lastNotBetterOfIntegers(early, row, value, int(length))
                               : lastNotBetterOfFloats(early, row, value, int(length));
  return uint(max(last + 1, 0));
}

uint costAt(Site site, uint i) {
  const int d = int(i) - int(site.row);
  if (kFloat == 0) return site.value + uint(d * d);
  precise const float far = params.along * float(d * d);
  precise const float sum = uintBitsToFloat(site.value) + far;
  return floatBitsToUint(sum);
}

// Loops, not branches, lead to what is seldom done: llvmpipe leaves a loop that nobody is in.
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
  // Every site begins at a row of its own: from row to row at most one is left behind.
  for (uint row = length; row-- > 0;) {
    while (last.row != kNoSite && (last.link & 0xffffu) > row) {
      last = second;
      second = siteAt(last.link >> 16);
    }
    put(row, last.row == kNoSite ? kNoDistance : costAt(last, row), last.row);
  }
}
