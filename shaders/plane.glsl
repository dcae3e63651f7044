// Functions and constants for planes whose pixels of 8 or 16 bits are packed in 32-bit words.

// Bits of a pixel: 8 or 16.
layout(constant_id = 0) const uint kBits = 8u;
const uint kPerWord = 32u / kBits;
const uint kPerLoad = 4u * kPerWord;
const uint kFull = (1u << kBits) - 1u;

// Returns the i-th pixel of a word. Pixel 0 is in the lowest bits, because the host writes little endian.
uint unpack(uint word, uint i) { return (word >> (i * kBits)) & kFull; }

// Returns the index of the word that holds pixel (x, y) of a layer.
uint wordOf(PlaneShape shape, uint layer, uint x, uint y) {
  return layer * shape.layerStride + y * shape.pitch + x / kPerWord;
}

uint rasterIndex(PlaneShape shape, uint x, uint y) { return y * shape.width + x; }
