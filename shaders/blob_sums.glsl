// Adds pixels to a Blob in memory. Include this file after declaring `planeWords`, the response, and `blobs`.

// Adds the Wide `value` to the 64-bit `sum` in memory, by atomics on its two words.

#define ADD(sum, value)                                     \
  {                                                         \
    const Wide added_ = value;                              \
    const uint before_ = atomicAdd(sum.low, added_.low);    \
    const uint carry_ = before_ + added_.low < before_ ? 1u : 0u; \
    if (added_.high + carry_ != 0) atomicAdd(sum.high, added_.high + carry_); \
  }

// Sums and extrema over some pixels, as they stand in the fields of a Blob.
struct Sums {
  uint area, peak, left, right, bottom;
  Wide mass, massX, massY, x, y, xx, xy, yy;
};

// Returns the sums of the pixels from (x, y) to (x + n - 1, y), where n is at most 32. `top` is the first row of their
// component.
Sums sumsOf(uint top, uint layer, uint x, uint y, uint n, uint threshold) {
  uint mass = 0;
  uint massOffset = 0;  // sum of weight times distance from x, below 65536 * 496
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
  Sums s;
  s.area = n;
  s.peak = peak << 15 | (kMostRow - (y - top));
  s.left = ~x;
  s.right = x + n - 1;
  s.bottom = y;
  s.mass = Wide(mass, 0);
  s.massX = add(times(mass, x), Wide(massOffset, 0));
  s.massY = times(mass, y);
  s.x = Wide(sumX, 0);
  s.y = times(n, y);
  s.xx = add(times(x * x, n), Wide(2 * x * offsets + offsets * (2 * n - 1) / 3, 0));
  s.xy = times(sumX, y);
  s.yy = times(y * y, n);
  return s;
}

Sums join(Sums a, Sums b) {
  return Sums(a.area + b.area, max(a.peak, b.peak), max(a.left, b.left), max(a.right, b.right),
              max(a.bottom, b.bottom), add(a.mass, b.mass), add(a.massX, b.massX),
              add(a.massY, b.massY), add(a.x, b.x), add(a.y, b.y), add(a.xx, b.xx),
              add(a.xy, b.xy), add(a.yy, b.yy));
}

void addTo(uint at, Sums s) {
  atomicAdd(blobs[at].area, s.area);
  atomicMax(blobs[at].peak, s.peak);
  atomicMax(blobs[at].left, s.left);
  atomicMax(blobs[at].right, s.right);
  atomicMax(blobs[at].bottom, s.bottom);
  ADD(blobs[at].mass, s.mass);
  ADD(blobs[at].massX, s.massX);
  ADD(blobs[at].massY, s.massY);
  ADD(blobs[at].x, s.x);
  ADD(blobs[at].y, s.y);
  ADD(blobs[at].xx, s.xx);
  ADD(blobs[at].xy, s.xy);
  ADD(blobs[at].yy, s.yy);
}
