// Compares 32 pixels at a time with a threshold. Include this file after declaring `plane`, the response.

const uint kLoads = 32u / kPerLoad;  // 16-byte loads that cover a word of the bitmap

// Returns a bit for every pixel of a word, lowest bit first: 1 if the pixel is at or above the threshold. Of pixels
// with 8 bits, two are compared at a time in the halves of a register: adding 256 - threshold sets bit 8 of a half.
uint bright(uint word, uint threshold) {
  if (kBits == 8) {
    const uint add = (256u - threshold) * 0x10001u;
    const uint even = (word & 0x00ff00ffu) + add;
    const uint odd = (word >> 8 & 0x00ff00ffu) + add;
    return (even >> 8 & 1u) | (odd >> 7 & 2u) | (even >> 22 & 4u) | (odd >> 21 & 8u);
  }
  return uint((word & 0xffffu) >= threshold) | uint((word >> 16) >= threshold) << 1;
}

uint brightOf(uvec4 load, uint threshold) {
  return bright(load.x, threshold) | bright(load.y, threshold) << kPerWord |
         bright(load.z, threshold) << 2 * kPerWord | bright(load.w, threshold) << 3 * kPerWord;
}

// Returns one word of the bitmap: a bit for each of 32 pixels, which is 1 if the pixel lies in the image and is at or
// above the threshold. `word` is the column of the word in the bitmap.
uint brightPixels(uint layer, uint word, uint y, uint threshold) {
  const uint first = (layer * params.plane.layerStride + y * params.plane.pitch) / 4 + word * kLoads;
  const uint loads = min(kLoads, params.plane.pitch / 4 - word * kLoads);
  uint bits = 0;
  for (uint i = 0; i < kLoads; ++i) {
    if (i < loads) bits |= brightOf(plane[first + i], threshold) << i * kPerLoad;
  }
  return bits & bitsOf(0, min(params.plane.width - word * 32, 32));
}
