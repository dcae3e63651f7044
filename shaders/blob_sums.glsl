// Adding pixels to a Blob. Include after declaring `planeWords`, the response, and `blobs`.

#define ADD(sum, value)                                     \
  {                                                         \
    const Wide added_ = value;                              \
    const uint before_ = atomicAdd(sum.low, added_.low);    \
    const uint carry_ = before_ + added_.low < before_ ? 1u : 0u; \
    if (added_.high + carry_ != 0) atomicAdd(sum.high, added_.high + carry_); \
  }

// Adds the pixels from (x, y) to (x + n - 1, y), n <= 32, of a component whose first row is `top`.
void addRun(uint at, uint top, uint layer, uint x, uint y, uint n, uint threshold) {
  uint mass = 0;
  uint massOffset = 0;  // weight times the distance from x: below 65536 * 496
  uint peak = 0;
  for (uint i = 0; i < n; ++i) {
    const uint value = valueAt(params.plane, layer, x + i, y);
    const uint weight = value - threshold + 1;
    mass += weight;
    massOffset += weight * i;
    peak = max(peak, value);
  }
  const uint offsets = n * (n - 1) / 2;
  const uint sumX = n * x + offsets;
  atomicAdd(blobs[at].area, n);
  atomicMax(blobs[at].peak, peak << 15 | (kMostRow - (y - top)));
  atomicMax(blobs[at].left, ~x);
  atomicMax(blobs[at].right, x + n - 1);
  atomicMax(blobs[at].bottom, y);
  ADD(blobs[at].mass, Wide(mass, 0));
  ADD(blobs[at].massX, add(times(mass, x), Wide(massOffset, 0)));
  ADD(blobs[at].massY, times(mass, y));
  ADD(blobs[at].x, Wide(sumX, 0));
  ADD(blobs[at].y, times(n, y));
  ADD(blobs[at].xx, add(times(x * x, n), Wide(2 * x * offsets + offsets * (2 * n - 1) / 3, 0)));
  ADD(blobs[at].xy, times(sumX, y));
  ADD(blobs[at].yy, times(y * y, n));
}
