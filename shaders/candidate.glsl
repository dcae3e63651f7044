// The definition of a candidate. Include after declaring `planeWords`, the response.

uint valueAt(PlaneShape shape, uint layer, uint x, uint y) {
  return unpack(planeWords[wordOf(shape, layer, x, y)], x % kPerWord);
}

// Whether none of the up to 8 neighbours of (x, y), whose response is `value`, exceeds it.
bool isPeak(PlaneShape shape, uint layer, uint x, uint y, uint value) {
  const uint x0 = x == 0 ? 0 : x - 1;
  const uint y0 = y == 0 ? 0 : y - 1;
  const uint x1 = min(x + 1, shape.width - 1);
  const uint y1 = min(y + 1, shape.height - 1);
  uint most = max(valueAt(shape, layer, x0, y), valueAt(shape, layer, x1, y));
  most = max(most, max(valueAt(shape, layer, x0, y0), valueAt(shape, layer, x0, y1)));
  most = max(most, max(valueAt(shape, layer, x, y0), valueAt(shape, layer, x, y1)));
  most = max(most, max(valueAt(shape, layer, x1, y0), valueAt(shape, layer, x1, y1)));
  return most <= value;
}
