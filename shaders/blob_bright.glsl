// Comparing 32 pixels with a threshold. Include after declaring `plane`, the response.

const uint kLoads = 32u / kPerLoad;  // 16-byte loads that cover a word of the bitmap

// A bit for every pixel of a word that is at or above the threshold, lowest first. Of 8 bits, two
// pixels at a time are compared in the halves of a register: adding 256 - threshold sets bit 8.
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

// A bit for every pixel of the word of the bitmap that is in the image and at or above the threshold.
uint brightPixels(uint layer, uint word, uint y, uint threshold) {
  const uint first = (layer * params.plane.layerStride + y * params.plane.pitch) / 4 + word * kLoads;
  const uint loads = min(kLoads, params.plane.pitch / 4 - word * kLoads);
  uint bits = 0;
  for (uint i = 0; i < kLoads; ++i) {
    if (i < loads) bits |= brightOf(plane[first + i], threshold) << i * kPerLoad;
  }
  return bits & bitsOf(0, min(params.plane.width - word * 32, 32));
}
