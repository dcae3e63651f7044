// The definition of a candidate. Include after load.glsl and declaring `planeWords`, the response, and
// `feedback`.

uint valueAt(PlaneShape shape, uint layer, uint x, uint y) {
  return unpack(readWord(planeWords, wordOf(shape, layer, x, y)), x % kPerWord);
}

// Counts a place beside a candidate, if it is in the image: x in all, y of those that reach `least`.
void countBeside(PlaneShape shape, uint layer, ivec2 at, int least, inout ivec2 counts) {
  const bool there = all(greaterThanEqual(at, ivec2(0))) && at.x < int(shape.width) && at.y < int(shape.height);
  const uvec2 from = uvec2(there ? at : ivec2(0));
  const bool high = int(valueAt(shape, layer, from.x, from.y)) >= least;
  counts += ivec2(int(there), int(there && high));
}

// Whether (x, y) is inside of something large, a line or an area: along an axis, to both sides, nothing
// at 7, 15 and 24 steps is below it by more than `prominence`, as far as that is in the image and three of
// them are. Never where `prominence` is 0: a loop that nobody is in costs nothing on llvmpipe. It has one
// loop only, since llvmpipe leaves all loops after 65,535 iterations.
bool isInside(PlaneShape shape, uint layer, uint x, uint y, uint value, uint prominence) {
  const int least = int(value) - int(prominence);
  const ivec2 own = ivec2(x, y);
  bool inside_ = false;
  for (int axis = 0; axis < (prominence == 0 || inside_ ? 0 : 4); ++axis) {
    const ivec2 unit = ivec2(axis == 3 ? 0 : 1, axis == 3 ? 1 : axis - 1);
    ivec2 counts = ivec2(0);
    countBeside(shape, layer, own + 7 * unit, least, counts);
    countBeside(shape, layer, own - 7 * unit, least, counts);
    countBeside(shape, layer, own + 15 * unit, least, counts);
    countBeside(shape, layer, own - 15 * unit, least, counts);
    countBeside(shape, layer, own + 24 * unit, least, counts);
    countBeside(shape, layer, own - 24 * unit, least, counts);
    inside_ = counts.x >= 3 && counts.x == counts.y;
  }
  return inside_;
}

// Whether none of the up to 8 neighbours of (x, y), whose response is `value`, exceeds it, and, if
// there is a `prominence`, it is not inside of something large: to that and a quarter of what it is above the
// threshold, which it must have reached.
bool isPeak(PlaneShape shape, uint layer, uint x, uint y, uint value, uint prominence) {
  const uint x0 = x == 0 ? 0 : x - 1;
  const uint y0 = y == 0 ? 0 : y - 1;
  const uint x1 = min(x + 1, shape.width - 1);
  const uint y1 = min(y + 1, shape.height - 1);
  uint most = max(valueAt(shape, layer, x0, y), valueAt(shape, layer, x1, y));
  most = max(most, max(valueAt(shape, layer, x0, y0), valueAt(shape, layer, x0, y1)));
  most = max(most, max(valueAt(shape, layer, x, y0), valueAt(shape, layer, x, y1)));
  most = max(most, max(valueAt(shape, layer, x1, y0), valueAt(shape, layer, x1, y1)));
  const uint inUse =
      prominence != 0 && most <= value ? prominence + (value - feedback.layers[layer].threshold) / 4 : 0;
  return most <= value && !isInside(shape, layer, x, y, value, inUse);
}
