// What `blur_columns` and `blur_rows` share: taps, and the words between them. A word of the
// intermediate plane is one pixel, 16 bits of the narrow Gaussian below 16 of the wide one.

layout(constant_id = 1) const uint kBand = 0u;  // 1: narrow minus wide Gaussian; 0: narrow one only

// Outputs that share what an invocation reads; the taps end in as many zeros less one.
const int kSpan = 4;

// The word of the intermediate plane that holds pixel (x, y).
uint middleWord(PlaneShape shape, uint layer, uint x, uint y) {
  return (layer * shape.layerStride + y * shape.pitch) * kPerWord + x;
}

// Weights of a pixel at `offset` from the first of kSpan outputs in each of them.
uvec4 weights(uint firstTap, int offset) {
  return uvec4(taps[firstTap + abs(offset)], taps[firstTap + abs(offset - 1)],
               taps[firstTap + abs(offset - 2)], taps[firstTap + abs(offset - 3)]);
}
