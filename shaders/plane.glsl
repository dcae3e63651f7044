// Reading pixels out of planes of packed 8- or 16-bit values.

// Bits of a plane's pixels: 8 or 16.
layout(constant_id = 0) const uint kBits = 8u;
const uint kPerWord = 32u / kBits;
const uint kPerLoad = 4u * kPerWord;
const uint kFull = (1u << kBits) - 1u;

// The i-th pixel of a word, lowest bits first (little endian, as the host writes them).
uint unpack(uint word, uint i) { return (word >> (i * kBits)) & kFull; }

// The word that holds pixel (x, y) of a layer.
uint wordOf(PlaneShape shape, uint layer, uint x, uint y) {
  return layer * shape.layerStride + y * shape.pitch + x / kPerWord;
}

uint rasterIndex(PlaneShape shape, uint x, uint y) { return y * shape.width + x; }
