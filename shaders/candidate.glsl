// The definition of a candidate: a pixel of the response that is at or above the threshold, that none of its
// neighbours exceeds, and that does not lie inside of something large. Include this file after load.glsl and after
// declaring `planeWords`, the response, and `feedback`.

uint valueAt(PlaneShape shape, uint layer, uint x, uint y) {
  return unpack(readWord(planeWords, wordOf(shape, layer, x, y)), x % kPerWord);
}

// Counts the place `at` if it lies in the image: in counts.x always, and in counts.y if its value is at least `least`.
void countBeside(PlaneShape shape, uint layer, ivec2 at, int least, inout ivec2 counts) {
  const bool there = all(greaterThanEqual(at, ivec2(0))) && at.x < int(shape.width) && at.y < int(shape.height);
  const uvec2 from = uvec2(there ? at : ivec2(0));
  const bool high = int(valueAt(shape, layer, from.x, from.y)) >= least;
  counts += ivec2(int(there), int(there && high));
}

// Returns true if (x, y), which has the given value, lies inside of something large such as a line or an area. This is
// so if along one of four axes the places 7, 15 and 24 steps away on both sides are not below `value` by more than
// `prominence`. Places outside of the image are ignored, but at least three must lie in it. If `prominence` is 0, the
// answer is false, and the loop that no lane enters costs nothing on llvmpipe. The function has only one loop, since
// llvmpipe leaves all loops of an invocation after 65,535 iterations in all.
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

// Returns true if (x, y), whose response `value` is at or above the threshold, is a candidate. None of its up to 8
// neighbours may exceed it. If `prominence` is not 0, the pixel must also not lie inside of something large. For this
// test the prominence is raised by a quarter of the pixel's height above the threshold.
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
