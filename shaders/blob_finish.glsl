// Computes the peak, flags and key of a Blob whose sums are complete. Include this file after blobs.glsl and after
// declaring `bitmap`, `parents`, `blobs` and `keys`.

struct Component {
  uint number, layer;
  uint top, bottom, left, right;  // px, the component's bounding box; the last row and column belong to it
  uint threshold;  // of the response
};

// The box of a component consists of words of the bitmap. These functions return the width of the box in words, the
// number of its words, the column and row of its i-th word, and the bits of a word that belong to the component.
uint boxWidth(Component c) { return c.right / 32 - c.left / 32 + 1; }
uint wordsOf(Component c) { return boxWidth(c) * (c.bottom - c.top + 1); }
uvec2 wordOfBox(Component c, uint i) {
  return uvec2(c.left / 32 + i % boxWidth(c), c.top + i / boxWidth(c));
}
uint ownBits(Component c, uvec2 at) {
  const uint index = wordAt(c.layer, at.x, at.y);
  const uint bits = bitmap[index];
  uint own = 0;
  for (uint starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
    const uint start = uint(findLSB(starts));
    if (parents[nodeAt(index, start)] != (kNumbered | c.number)) continue;
    own |= bitsOf(start, runEnd(bits, start));
  }
  return own;
}

Component componentOf(uint layer, uint number, uint threshold) {
  const Blob b = blobs[layer * params.capacity + number];
  return Component(number, layer, b.first / params.plane.width, b.bottom, ~b.left, b.right, threshold);
}

// Returns true if the area is at least `fill` times the area of the ellipse that has the same covariance. Both sides
// are squared and multiplied by a power of the area, which keeps them finite for areas up to 2^17 px.
bool isWhole(Shape s, float fill) {
  precise const float a3 = s.area * s.area * s.area;
  precise const float left = a3 * a3;
  precise const float determinant = s.xx * s.yy - s.xy * s.xy;
  precise const float right = fill * fill * 157.91367 * determinant;  // (4 pi)^2
  return left >= right;
}

bool isWithinLimits(Blob b, uvec2 centre) {
  return b.area >= params.leastArea && b.area <= params.mostArea &&
         !less(Wide(b.mass.low, b.mass.high), Wide(params.leastMassLow, params.leastMassHigh)) &&
         !isElongated(shapeOf(b, centre), params.mostElongation);
}

uint flagsOf(Blob b) {
  const bool cut = b.left == ~0u || b.first < params.plane.width ||
                   b.right + 1 == params.plane.width || b.bottom + 1 == params.plane.height;
  return (cut ? kFlagBorder : 0) | (b.peak >> 15 == params.fullScale ? kFlagSaturated : 0);
}

// Returns the first row in which the blob has its highest response.
uint peakRow(Component c, Blob b) { return c.top + kMostRow - (b.peak & kMostRow); }

// Completes the Blob at index `at` and writes its key. (peakX, peakY) is the first pixel with the highest response.
// Blobs outside of the limits get the centre kNoCentre.
void finish(uint at, Blob b, uint peakX, uint peakY, uint flags) {
  const uvec2 centre = centreOf(b);
  blobs[at].flags = flags | flagsOf(b);
  blobs[at].place = peakY << 16 | peakX;
  blobs[at].peak = b.peak >> 15;
  keys[at] = BlobKey(b.mass.high, b.mass.low, b.first,
                     isWithinLimits(b, centre) ? centre.y << 16 | centre.x : kNoCentre);
}
