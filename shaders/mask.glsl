// Masks of pixels. A mask has one bit per pixel, which is 1 if the pixel is measured. Rows are padded to whole words,
// and the layers follow one another. Include this file after declaring `mask`, the buffer of words.

// Returns a bit for each pixel of a load in the given column of loads: 1 if the pixel lies in the image.
uint insideBits(uint width, uint column) {
  const uint x = column * kPerLoad;
  return x + kPerLoad <= width ? ~0u : (1u << (width - x)) - 1;
}

// Returns the mask's bits of the kPerLoad pixels that start at x, a multiple of kPerLoad. Higher bits are undefined.
uint maskBits(uint pitch, uint height, uint layer, uint x, uint y) {
  return mask[(layer * height + y) * pitch + x / 32] >> (x % 32);
}

// Returns a load that has all bits set in those pixels whose bit in `bits` is set, and 0 in the others.
uvec4 spread(uint bits) {
  uvec4 result = uvec4(0);
  for (uint i = 0; i < kPerLoad; ++i) result[i / kPerWord] |= (0u - (bits >> i & 1)) & kFull << ((i % kPerWord) * kBits);
  return result;
}
