// Reads single pixels of the image. Include this file after load.glsl and plane.glsl, and after declaring `params` and
// `plane`.

// Returns true if a place lies in the image.
bool inside(ivec2 at) {
  return all(greaterThanEqual(at, ivec2(0))) &&
         all(lessThan(at, ivec2(params.plane.width, params.plane.height)));
}

// Returns the value of a pixel of the image.
int pixelAt(uint layer, ivec2 at) {
  const uint word = wordOf(params.plane, layer, uint(at.x), uint(at.y));
  return int(unpack(readWord(plane, word), uint(at.x) % kPerWord));
}
