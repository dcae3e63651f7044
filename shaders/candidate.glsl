// The definition of a candidate. Include after declaring `plane`, the response in words of four.

uint valueAt(PlaneShape shape, uint layer, uint x, uint y) {
  const uint word = wordOf(shape, layer, x, y);
  return unpack(plane[word / 4][word % 4], x % kPerWord);
}

// Whether none of the up to 8 neighbours of (x, y), whose response is `value`, exceeds it.
bool isPeak(PlaneShape shape, uint layer, uint x, uint y, uint value) {
  const uint x0 = x == 0 ? 0 : x - 1;
  const uint y0 = y == 0 ? 0 : y - 1;
  const uint x1 = min(x + 1, shape.width - 1);
  const uint y1 = min(y + 1, shape.height - 1);
  for (uint v = y0; v <= y1; ++v) {
    for (uint u = x0; u <= x1; ++u) {
      if (valueAt(shape, layer, u, v) > value) return false;
    }
  }
  return true;
}
