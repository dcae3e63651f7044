// Masks: one bit a pixel, 1 = measured, rows padded to whole words, layers one after another.
// Include after declaring `mask`, the buffer of words.

// The pixels of a column of loads that lie in the image, one bit each.
uint insideBits(uint width, uint column) {
  const uint x = column * kPerLoad;
  return x + kPerLoad <= width ? ~0u : (1u << (width - x)) - 1;
}

// The bits of kPerLoad pixels from x on, which is a multiple of kPerLoad.
uint maskBits(uint pitch, uint height, uint layer, uint x, uint y) {
  return mask[(layer * height + y) * pitch + x / 32] >> (x % 32);
}

// All bits of the pixels of a load whose bit in `bits` is set.
uvec4 spread(uint bits) {
  uvec4 result = uvec4(0);
  for (uint i = 0; i < kPerLoad; ++i) result[i / kPerWord] |= (0u - (bits >> i & 1)) & kFull << ((i % kPerWord) * kBits);
  return result;
}
